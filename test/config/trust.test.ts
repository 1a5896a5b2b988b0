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
import { applyConfig, grantTrust, loadConfig, reviewTrust, revokeTrust } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { bashCall, HERE } from "../support/events.ts";
import { hooksFile, type Project, project } from "./support/project.ts";

/** What of the project is not in force. */
async function refused(files: Project) {
  const { trust } = await loadConfig(files.options);
  return trust.untrusted.map(({ name, reason }) => `${name}: ${reason}`);
}

const states = (review: Awaited<ReturnType<typeof reviewTrust>>) =>
  review.items.map(({ kind, name, state }) => `${kind} ${name} ${state}`);

const COMMANDS = `
hooks:
  disabled: [off]
  definitions:
    - { name: log, type: command, command: python scripts/log.py, matcher: { events: [PreToolUse] } }
    - { name: off, type: command, script: scripts/off.sh, matcher: { events: [PreToolUse] } }
permissions: { allow: [Read] }
`;
const commands = () =>
  project({
    "hooks.yaml": COMMANDS,
    "project/scripts/log.py": "print()\n",
    "project/scripts/off.sh": "exit 0\n",
  });

describe("a project that nobody has trusted", () => {
  it("has its gates closed, and says which file and what to do", async () => {
    const files = project({ "hooks.yaml": hooksFile("a") });
    const hooks = createHooks();
    const { failing } = await applyConfig(hooks, await loadConfig(files.options));
    const reason = `${files.path("project/.tenterhook/hooks.yaml")}:4: it is not trusted yet. Look at what it does and trust it with: tenterhook trust`;
    expect(failing).toEqual([{ name: "a", reason }]);
    const { action, reason: said, runs } = await hooks.fire(bashCall("ls"));
    expect([action, said]).toEqual(["deny", `Hook "a" failed (untrusted): ${reason}`]);
    expect(runs.map(({ failure }) => failure?.kind)).toEqual(["untrusted"]);
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
permissions: { deny: [Bash] }
sandbox: { mode: read-only }
memory: { files: [X.md] }
mcp_servers: { docs: { command: docs } }
monitor: { on_idle: done }
degrade: { ask: refuse }
`,
      "hooks.local.yaml": hooksFile("x"),
      "project/.agent/hook.toml": '[turn_start]\ncommand = "ls"\n',
    });
    const { definitions, timeout, limits, settings, agent_hooks, warnings, trust } = await loadConfig(
      files.options,
    );
    expect([timeout, limits, agent_hooks?.hooks]).toEqual([undefined, {}, {}]);
    expect(Object.values(settings)).toEqual([{}, {}, {}, {}, {}, {}, {}]);
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

  it("leaves the user's own hooks as they are", async () => {
    const files = project({ "user/tenterhook/hooks.yaml": hooksFile("u"), "hooks.yaml": "" });
    const { definitions, trust } = await loadConfig(files.options);
    expect([definitions.map(({ untrusted }) => untrusted), trust.state]).toEqual([[undefined], "nothing"]);
  });
});

describe("a review", () => {
  it("shows every hook, key and file with what it says", async () => {
    const files = commands();
    const review = await reviewTrust(files.options);
    expect([review.root, review.state]).toEqual([files.path("project"), "untrusted"]);
    expect(states(review)).toEqual([
      "file scripts/log.py new",
      "definition log new",
      "file scripts/off.sh new",
      "definition off new",
      "key permissions new",
      "key hooks.disabled new",
    ]);
    expect(review.items.find(({ name }) => name === "scripts/log.py")).toMatchObject({
      file: files.path("project/scripts/log.py"),
      text: "print()\n",
    });
    expect(review.items.find(({ name }) => name === "log")).toMatchObject({
      line: 5,
      text: expect.stringContaining('"command": "python scripts/log.py"'),
    });
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
      "file scripts/log.py changed",
      "definition log trusted",
      "definition new new",
      "key permissions changed",
      "key hooks.disabled trusted",
      "file scripts/off.sh removed",
      "definition off removed",
    ]);
    expect(review.items.find(({ name }) => name === "scripts/log.py")).toMatchObject({
      before: "print()\n",
      text: "print(1)\n",
    });
    expect(await refused(files)).toEqual([
      "permissions: it has changed since it was trusted",
      "log: scripts/log.py has changed since it was trusted",
      "new: it is not trusted yet",
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
    const only = review.items.filter(({ name }) => name !== "permissions").map(({ id }) => id);
    await grantTrust(review, { ...files.options, only });
    expect(await refused(files)).toEqual(["permissions: it is not trusted yet"]);
    expect(await revokeTrust(files.options)).toBe(5);
    expect((await refused(files)).length).toBe(4);
  });
});

describe("files that are run", () => {
  it.each<[what: string, definition: string, file: string]>([
    ["a script", "type: command, script: tools/a.sh", "tools/a.sh"],
    ["a module", "type: module, module: ./tools/guard.ts", "tools/guard.ts"],
    ["a word of a shell line", "type: command, command: 'cd /tmp; python tools/a.py --fast'", "tools/a.py"],
    ["a program of an argument list", "type: command, command: [./tools/run, now]", "tools/run"],
    ["an argument", "type: command, command: node, args: [tools/a.js]", "tools/a.js"],
    ["a quoted name", `type: command, command: "bash -c 'sh \\"my tools/a b.sh\\"'"`, "my tools/a b.sh"],
    ["a value of an option", "type: command, command: check --config=tools/check.json", "tools/check.json"],
    [
      "a name below the project's variable",
      'type: command, command: "$CLAUDE_PROJECT_DIR/tools/a.sh"',
      "tools/a.sh",
    ],
    ["a name after a change of folder", "type: command, command: cd tools && ./a.sh", "tools/a.sh"],
    ["a part of a composition", "type: all, all: [{ type: command, script: tools/a.sh }]", "tools/a.sh"],
    ["a server's program", "type: mcp, server: docs, tool: check", ".mcp.json"],
  ])("%s is trusted by its bytes", async (_, definition, file) => {
    const files = project({
      "hooks.yaml": `hooks: { definitions: [{ name: x, ${definition}, matcher: { events: [PreToolUse] } }] }`,
      [`project/${file}`]: "{}",
    });
    await files.trust();
    expect(await refused(files)).toEqual([]);
    files.write(`project/${file}`, "[]");
    expect(await refused(files)).toEqual([`x: ${file} has changed since it was trusted`]);
  });

  it("are those of discovered scripts, used files, packages, servers and .agent/hook.toml too", async () => {
    const files = project({
      "hooks.yaml":
        'hooks: { use: [./team.yaml, "@acme/x"] }\nmcp_servers: { s: { command: node, args: [server.js] } }',
      "team.yaml": hooksFile("t"),
      "project/.tenterhook/hooks/on-stop.sh": "exit 0\n",
      "project/node_modules/@acme/x/hooks.yaml":
        "hooks: { definitions: [{ name: p, type: command, script: bin/p.sh, matcher: { events: [Stop] } }] }",
      "project/node_modules/@acme/x/bin/p.sh": "exit 0\n",
      "project/server.js": "1\n",
      "project/.agent/hook.toml": '[turn_end]\ncommand = "sh"\nargs = ["end.sh"]\n',
      "project/end.sh": "exit 0\n",
    });
    await files.trust();
    expect(await refused(files)).toEqual([]);
    const changes: readonly [string, string, string][] = [
      ["project/.tenterhook/team.yaml", "t", ".tenterhook/team.yaml"],
      ["project/.tenterhook/hooks/on-stop.sh", "on-stop.sh", ".tenterhook/hooks/on-stop.sh"],
      ["project/node_modules/@acme/x/bin/p.sh", "p", "node_modules/@acme/x/bin/p.sh"],
      ["project/server.js", "mcp_servers", "server.js"],
      ["project/end.sh", "turn_end", "end.sh"],
    ];
    for (const [file, name, said] of changes) {
      files.write(file, file.endsWith("yaml") ? `${hooksFile("t")}\n# more` : "echo changed\n");
      expect(await refused(files)).toContain(`${name}: ${said} has changed since it was trusted`);
    }
  });

  it("may be missing, and are untrusted when they come", async () => {
    const files = commands();
    rmSync(files.path("project/scripts/off.sh"));
    await files.trust();
    expect(await refused(files)).toEqual([]);
    files.write("project/scripts/off.sh", "evil\n");
    expect(await refused(files)).toEqual(["off: scripts/off.sh has changed since it was trusted"]);
  });

  it("may be links out of the project, which count with where they lead", async () => {
    const files = commands();
    files.write("outside/a.sh", "exit 0\n");
    files.write("outside/b.sh", "exit 0\n");
    const link = files.path("project/scripts/off.sh");
    rmSync(link);
    symlinkSync(files.path("outside/a.sh"), link);
    const { items } = await files.trust();
    expect(items.find(({ name }) => name === "scripts/off.sh")?.text).toBe(
      `(leads to ${files.path("outside/a.sh")})\nexit 0\n`,
    );
    expect(await refused(files)).toEqual([]);
    rmSync(link);
    symlinkSync(files.path("outside/b.sh"), link);
    expect(await refused(files)).toEqual(["off: scripts/off.sh has changed since it was trusted"]);
    rmSync(link);
    symlinkSync(files.path("outside/a.sh"), link);
    expect(await refused(files)).toEqual([]);
    files.write("outside/a.sh", "exit 1\n");
    expect(await refused(files)).toEqual(["off: scripts/off.sh has changed since it was trusted"]);
  });

  it("can't be trusted when they are too large or no plain files", async () => {
    const files = commands();
    files.write("project/scripts/log.py", "");
    // A file with a hole takes no room.
    const { truncateSync } = await import("node:fs");
    truncateSync(files.path("project/scripts/log.py"), 100_000_001);
    rmSync(files.path("project/scripts/off.sh"));
    mkdirSync(files.path("project/scripts/off.sh"));
    const { items } = await files.trust();
    expect(items.flatMap(({ name, problem }) => (problem === undefined ? [] : [[name, problem]]))).toEqual([
      ["scripts/log.py", "has more than 100 MB, the most that can be trusted"],
      ["scripts/off.sh", "is a folder"],
    ]);
    expect(await refused(files)).toEqual([
      "log: scripts/log.py has more than 100 MB, the most that can be trusted",
      "off: scripts/off.sh is a folder",
    ]);
  });
});

describe("what is stored", () => {
  const store = (files: Project) => {
    const [name = ""] = readdirSync(files.path("state/tenterhook/trust"));
    const folder = files.path(`state/tenterhook/trust/${name}`);
    return { folder, file: join(folder, readdirSync(folder).sort().at(-1) ?? "") };
  };

  type Spoil = [what: string, spoil: (file: string) => void, reason: string];
  /** Only root can give a file away. */
  const foreign: readonly Spoil[] =
    process.getuid?.() === 0
      ? [["belongs to somebody else", (file) => chownSync(file, 1234, 1234), "it belongs to another user"]]
      : [];

  it("is this user's alone", async () => {
    const files = commands();
    await files.trust();
    const { folder, file } = store(files);
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it.each<Spoil>([
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
    ...foreign,
  ])("trusts nothing when it %s, and says so", async (_, spoil, reason) => {
    const files = commands();
    await files.trust();
    const { file } = store(files);
    spoil(file);
    const { trust, warnings, definitions } = await loadConfig(files.options);
    const problem = `What was trusted is kept in ${file}, but ${reason}, so nothing of this project is trusted. Trust it again with: tenterhook trust`;
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
