import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { grantTrust, loadConfig, reviewTrust, revokeTrust } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { readConfigFile } from "../../src/config/parse/read-file.ts";
import { bashCall, HERE } from "../support/events.ts";
import { notRoot } from "../support/not-here.ts";
import { hooksFile, type Project, project } from "./support/project.ts";
import { COMMANDS, commands, refused } from "./support/trusted.ts";

const states = (review: Awaited<ReturnType<typeof reviewTrust>>) =>
  review.items.map(({ kind, name, state }) => `${kind} ${name} ${state}`);

describe("a project that nobody has trusted", () => {
  it("has its gates closed, and says which file and what to do", async () => {
    const files = project({ "hooks.yaml": hooksFile("a") });
    const hooks = createHooks();
    const { failing } = await applyConfig(hooks, await loadConfig(files.options));
    const reason = `${files.path("project/.tenterhook/hooks.yaml")}:4: it is not trusted yet.`;
    expect(failing).toEqual([{ name: "a", reason }]);
    const { action, reason: given, runs } = await hooks.fire(bashCall("ls"));
    expect([action, given]).toEqual([
      "deny",
      `Hook "a" failed (untrusted): ${reason} Ask the user to review the hooks.`,
    ]);
    expect(runs.map(({ failure }) => failure?.kind)).toEqual([undefined, "untrusted"]);
  });

  it("has its gates closed at every event, those that are asked once in a session too", async () => {
    const files = project({ "hooks.yaml": hooksFile("a").replace('"name"', '"once": true, "name"') });
    const hooks = createHooks();
    await applyConfig(hooks, await loadConfig(files.options));
    const actions = [await hooks.fire(bashCall("ls")), await hooks.fire(bashCall("ls"))];
    expect(actions.map(({ action }) => action)).toEqual(["deny", "deny"]);
  });

  it("says at the start of a session what is not in force", async () => {
    const files = project({ "hooks.yaml": "permissions: { allow: [Read] }" });
    const hooks = createHooks();
    await applyConfig(hooks, await loadConfig(files.options));
    const { user_messages } = await hooks.fire({ ...HERE, hook_event_name: "SessionStart" });
    expect(user_messages.map(({ text }) => text)).toEqual([
      `Not trusted and not in force in ${files.path("project")}: permissions. Look at what it does and trust it with: tenterhook trust`,
    ]);
  });

  it("changes nothing else either", async () => {
    const files = project({
      "hooks.yaml": `
hooks: { timeout: 1, disabled: [x], limits: { hook_turns: 1 }, use: [no-network] }
models: { judge: a/b }
permissions: { allow: [Bash], mode: plan }
sandbox: { mode: read-only }
memory: { files: [X.md] }
compaction: { keep_tokens: 1 }
agents: { max_concurrency: 1 }
checkpoints: { messages: 1 }
mcp_servers: { docs: { command: docs } }
monitor: { on_idle: done }
daemon: false
self_protection: { enabled: false }
mods: { allow: [x@1] }
degrade: { ask: refuse }
`,
      "hooks.local.yaml": hooksFile("x"),
      "project/.agent/hook.toml": '[turn_start]\ncommand = "ls"\n',
    });
    const { definitions, timeout, limits, settings, agent_hooks, warnings, trust } = await loadConfig(
      files.options,
    );
    expect([timeout, limits, agent_hooks?.hooks]).toEqual([undefined, {}, {}]);
    const { daemon, ...sections } = settings;
    expect([daemon, ...Object.values(sections)]).toEqual([true, ...Object.keys(sections).map(() => ({}))]);
    expect(definitions.map(({ enabled, untrusted }) => [enabled, untrusted])).toEqual(
      definitions.map(() => [true, "it is not trusted yet"]),
    );
    const names = trust.untrusted.map(({ name }) => name);
    expect(new Set(names)).toEqual(
      new Set([
        ...definitions.map(({ name }) => name),
        ...["hooks.timeout", "hooks.disabled", "hooks.limits", "turn_start"],
        ...Object.keys(settings),
      ]),
    );
    expect(warnings.map(({ message }) => message)).toContain(
      "sandbox is not in force: it is not trusted yet. Look at what it does and trust it with: tenterhook trust",
    );
  });

  it("forbids what its permissions deny or ask about, and permits nothing", async () => {
    const files = project({
      "hooks.yaml": 'permissions: { deny: [Read], ask: ["Bash(git push)"], allow: [Edit] }',
    });
    const { settings, trust } = await loadConfig(files.options);
    expect(settings.permissions).toEqual({ deny: ["Read"], ask: ["Bash(git push)"] });
    expect(trust.state).toBe("untrusted");
    await files.trust();
    files.write("hooks.yaml", "permissions: { deny: [Read, Write] }");
    expect((await loadConfig(files.options)).settings.permissions).toEqual({ deny: ["Read", "Write"] });
  });

  it("leaves the user's own hooks as they are", async () => {
    const files = project({ "user/tenterhook/hooks.yaml": hooksFile("u"), "hooks.yaml": "" });
    const { definitions, trust } = await loadConfig(files.options);
    expect([definitions.map(({ untrusted }) => untrusted), trust.state]).toEqual([[undefined], "nothing"]);
  });
});

describe("a review", () => {
  it("shows every file with what it says", async () => {
    const files = commands();
    const review = await reviewTrust(files.options);
    expect([review.root, review.state]).toEqual([files.path("project"), "untrusted"]);
    expect(states(review)).toEqual([
      "configuration .tenterhook/hooks.yaml new",
      "program scripts/log.py new",
      "program scripts/off.sh new",
    ]);
    expect(review.items.find(({ name }) => name === "scripts/log.py")).toMatchObject({
      file: files.path("project/scripts/log.py"),
      text: "print()\n",
    });
    expect(review.items.find(({ kind }) => kind === "configuration")).toMatchObject({
      text: COMMANDS,
      needs: ["scripts/log.py", "scripts/off.sh"],
      guards: ["hook log", "hook off", "section permissions"],
    });
  });

  it("shows a configuration file as one, also when a hook of another file names it", async () => {
    const files = project({});
    files.write(
      "hooks.yaml",
      'hooks:\n  definitions:\n    - { name: lint, type: command, command: "sh .tenterhook/hooks.local.yaml", matcher: { events: [Stop] } }\n',
    );
    files.write(
      "hooks.local.yaml",
      'hooks:\n  definitions:\n    - { name: guard, type: inline, matcher: { events: [PreToolUse] }, rules: \'command equals "x" -> deny("No.")\' }\n',
    );
    const { items } = await reviewTrust(files.options);
    expect(items.map(({ kind, name, guards }) => [kind, name, guards])).toEqual([
      ["configuration", ".tenterhook/hooks.yaml", ["hook lint"]],
      ["configuration", ".tenterhook/hooks.local.yaml", ["hook guard"]],
    ]);
  });

  it("tells after an edit what has changed, what is new and what is gone", async () => {
    const files = commands();
    await files.trust();
    expect((await reviewTrust(files.options)).state).toBe("trusted");
    files.write(
      "hooks.yaml",
      COMMANDS.replace(/.*name: off.*\n/, hooks("new")).replace("[Read]", "[Read, Write]"),
    );
    files.write("project/scripts/log.py", "print(1)\n");
    const review = await reviewTrust(files.options);
    expect(states(review)).toEqual([
      "configuration .tenterhook/hooks.yaml changed",
      "program scripts/log.py changed",
      "program scripts/off.sh removed",
    ]);
    expect(review.items.find(({ name }) => name === "scripts/log.py")).toMatchObject({
      before: "print()\n",
      text: "print(1)\n",
    });
    expect(await refused(files)).toEqual([
      "hooks.disabled: it has changed since it was trusted",
      "permissions: it has changed since it was trusted",
      "log: it has changed since it was trusted; scripts/log.py has changed since it was trusted",
      "new: it has changed since it was trusted",
    ]);
  });

  const hooks = (name: string) =>
    `    - { name: ${name}, type: http, url: "http://localhost", matcher: { events: [Stop] } }\n`;

  it("is what a grant stores, not what is there by then", async () => {
    const files = commands();
    const review = await reviewTrust(files.options);
    files.write("project/scripts/log.py", "evil()\n");
    await grantTrust(review, files.options);
    expect(await refused(files)).toEqual(["log: scripts/log.py has changed since it was trusted"]);
  });

  it("can be granted in part, and taken back", async () => {
    const files = commands();
    const review = await reviewTrust(files.options);
    const only = review.items.filter(({ name }) => name !== "scripts/off.sh").map(({ id }) => id);
    await grantTrust(review, { ...files.options, only });
    expect(await refused(files)).toEqual(["off: scripts/off.sh is not trusted yet"]);
    expect(await revokeTrust(files.options)).toBe(2);
    expect((await refused(files)).length).toBe(4);
  });

  it("of a file that lost a guard closes the gates until it is accepted", async () => {
    const files = project({ "hooks.yaml": hooksFile("a") });
    await files.trust();
    for (const text of ["hooks: {}", "", hooksFile("b"), "permissions: { allow: [Bash] }"]) {
      files.write("hooks.yaml", text);
      const hooks = createHooks();
      await applyConfig(hooks, await loadConfig(files.options));
      expect([text, (await hooks.fire(bashCall("ls"))).action]).toEqual([text, "deny"]);
    }
    await files.trust();
    const hooks = createHooks();
    await applyConfig(hooks, await loadConfig(files.options));
    expect((await hooks.fire(bashCall("ls"))).action).toBe("continue");
  });

  it("is of what was read, not of what took its place meanwhile", async () => {
    const files = project({ "hooks.yaml": hooksFile("a") });
    const file = files.path("project/.tenterhook/hooks.yaml");
    await expect(readConfigFile(file, undefined, "another digest")).rejects.toThrow(
      "It changed while it was read.",
    );
  });
});

describe("what is stored", () => {
  const store = (files: Project) => {
    const [name = ""] = readdirSync(files.path("state/tenterhook/trust"));
    const folder = files.path(`state/tenterhook/trust/${name}`);
    return { folder, file: join(folder, readdirSync(folder).sort().at(-1) ?? "") };
  };

  type Spoil = readonly [
    what: string,
    spoil: (file: string) => void,
    reason: string,
    notHere?: string | undefined,
  ];

  it("what is stored of trust is readable by this user alone", async () => {
    const files = commands();
    await files.trust();
    const { folder, file } = store(files);
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it.for<Spoil>([
    ["is damaged", (file) => writeFileSync(file, "{"), "it is damaged"],
    ["is writable for others", (file) => chmodSync(file, 0o666), "other users may write it"],
    [
      "is a folder",
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
      "it is not a plain file",
    ],
    [
      "is a link",
      (file) => {
        writeFileSync(`${file}.other`, "{}");
        rmSync(file);
        symlinkSync(`${file}.other`, file);
      },
      "it is a link",
    ],
    // Only root can give a file away.
    [
      "belongs to somebody else",
      (file) => chownSync(file, 1234, 1234),
      "it belongs to another user",
      notRoot,
    ],
  ])("trusts nothing when it %s, and says so", async ([, spoil, reason, notHere], { skip }) => {
    skip(notHere !== undefined, notHere);
    const files = commands();
    await files.trust();
    const { file } = store(files);
    spoil(file);
    const { trust, warnings, definitions } = await loadConfig(files.options);
    const problem = `The stored trust in ${file} can't be used: ${reason}. Nothing of this project is trusted. Trust it again with: tenterhook trust`;
    expect([trust.problem, definitions.map(({ untrusted }) => untrusted)]).toEqual([
      problem,
      ["it is not trusted yet", "it is not trusted yet"],
    ]);
    expect(warnings.map(({ message }) => message)).toContain(problem);
    await files.trust();
    expect(await refused(files)).toEqual([]);
  });

  it("is for the project, whichever way one comes to it", async () => {
    const files = commands();
    mkdirSync(files.path("project/deep/down"), { recursive: true });
    symlinkSync(files.path("project"), files.path("link"));
    await files.trust(files.path("link"));
    for (const cwd of ["project", "project/deep/down", "link", "link/deep"]) {
      const { trust } = await loadConfig({ ...files.options, cwd: files.path(cwd) });
      expect([trust.root, trust.state]).toEqual([files.path("project"), "trusted"]);
    }
  });
});
