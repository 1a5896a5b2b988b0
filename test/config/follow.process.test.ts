import { existsSync, mkdirSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { createHooks } from "tenterhook";
import { followConfig, grantTrust, reviewTrust, revokeTrust } from "tenterhook/config";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfigCached } from "../../src/config/open.ts";
import { bashCall, HERE } from "../support/events.ts";
import { hooksFile, type Project, project } from "./support/project.ts";

/** A hook set that follows the project's files. */
async function following(files: Project) {
  const hooks = createHooks();
  const followed = await followConfig(hooks, files.options);
  onTestFinished(() => followed.close());
  const asked = async (command: string) => (await hooks.fire(bashCall(command))).action;
  return { hooks, followed, asked };
}

const shown = (files: Project, texts: readonly { readonly text: string }[]) =>
  texts.map(({ text }) => text.replaceAll(`${files.root}/`, ""));

const USER = "user/tenterhook/hooks.yaml";

describe("what changes on disk is in force at the next event", () => {
  it("a hook that is added, changed and removed", async () => {
    const files = project({ [USER]: hooksFile("a") });
    const { asked } = await following(files);
    expect([await asked("a"), await asked("b")]).toEqual(["deny", "continue"]);
    files.write(USER, hooksFile("a", "b"));
    expect([await asked("a"), await asked("b")]).toEqual(["deny", "deny"]);
    files.write(USER, hooksFile("b"));
    expect([await asked("a"), await asked("b")]).toEqual(["continue", "deny"]);
    unlinkSync(files.path(USER));
    expect([await asked("a"), await asked("b")]).toEqual(["continue", "continue"]);
  });

  it("a file, a folder or a project that was not there before", async () => {
    const files = project();
    const { asked, followed } = await following(files);
    expect(await asked("a")).toBe("continue");
    files.write(USER, hooksFile("a"));
    expect(await asked("a")).toBe("deny");
    files.write("managed/hooks.yaml", hooksFile("m"));
    expect(await asked("m")).toBe("deny");
    files.write("hooks.yaml", hooksFile("p"));
    expect([await asked("x"), followed.config.trust.state]).toEqual(["deny", "untrusted"]);
    await files.trust();
    expect([await asked("x"), await asked("p")]).toEqual(["continue", "deny"]);
    files.write("project/.tenterhook/hooks/pre-bash.sh", "exit 0\n");
    expect(await asked("x")).toBe("deny");
  });

  it("a file that is used, or leads somewhere else", async () => {
    const files = project({ [USER]: "hooks: { use: [./team.yaml] }" });
    const team = files.path("user/tenterhook/team.yaml");
    const a = files.write("user/tenterhook/a.yaml", hooksFile("a"));
    const b = files.write("user/tenterhook/b.yaml", hooksFile("b"));
    symlinkSync(a, team);
    const { asked } = await following(files);
    expect([await asked("a"), await asked("b")]).toEqual(["deny", "continue"]);
    unlinkSync(team);
    symlinkSync(b, team);
    expect([await asked("a"), await asked("b")]).toEqual(["continue", "deny"]);
  });

  it("limits and timeout, which go back when nobody gives them", async () => {
    const files = project({ [USER]: "hooks: { limits: { hook_turns: 0 }, timeout: 7 }" });
    const { hooks } = await following(files);
    const wanted = async () => {
      const { hook_inputs } = await hooks.fire({ ...HERE, hook_event_name: "TurnEnd", result: "" });
      return hook_inputs.length;
    };
    hooks.on("TurnEnd", { name: "again" }, () => ({ type: "hook_input", text: "go on" }));
    expect(hooks.list().find(({ name }) => name === "again")?.timeout).toBe(7);
    expect(await wanted()).toBe(0);
    files.write(USER, "{}");
    expect(await wanted()).toBe(1);
    hooks.on("Stop", { name: "later" }, () => undefined);
    expect(hooks.list().find(({ name }) => name === "later")?.timeout).toBe(30);
  });

  it("the settings, which listeners hear of", async () => {
    const files = project({ [USER]: "sandbox: { mode: read-only }" });
    const { followed } = await following(files);
    expect(followed.config.settings.sandbox).toEqual({ mode: "read-only" });
    const changes: unknown[] = [];
    const end = followed.onChange(({ settings }) => changes.push(settings.sandbox));
    files.write(USER, "sandbox: { mode: off }");
    await followed.refresh();
    await followed.refresh();
    end();
    files.write(USER, "{}");
    await followed.refresh();
    expect([changes, followed.config.settings.sandbox]).toEqual([[{ mode: "off" }], {}]);
  });

  it("also for a tool call that no hook was interested in, and for sets that include it", async () => {
    const files = project();
    const { hooks } = await following(files);
    const outer = createHooks().include(hooks);
    const call = { ...HERE, tool_name: "Bash", tool_input: { command: "a" }, execute: () => "ran" };
    expect([await hooks.toolCall(call), await outer.toolCall(call)]).toEqual(["ran", "ran"]);
    files.write(USER, hooksFile("a"));
    await expect(outer.toolCall(call)).rejects.toThrow("no");
    await expect(hooks.toolCall(call)).rejects.toThrow("no");
  });
});

describe("a change", () => {
  it("is met whole by every event: never half of it, never none", async () => {
    const files = project({ [USER]: hooksFile("old1", "old2") });
    const { hooks } = await following(files);
    const names = async () =>
      (await hooks.fire(bashCall("x"))).runs
        .map(({ name }) => name)
        .slice(1)
        .join(" ");
    for (let round = 0; round < 5; round += 1) {
      const after = round % 2 === 0 ? ["new1", "new2"] : ["old1", "old2"];
      const running = Array.from({ length: 5 }, names);
      files.write(USER, hooksFile(...after));
      running.push(...Array.from({ length: 5 }, names));
      expect(["old1 old2", "new1 new2"]).toEqual(
        expect.arrayContaining([...new Set(await Promise.all(running))]),
      );
      expect(await names()).toBe(after.join(" "));
    }
  });

  it("leaves hooks that stay the same with what they have counted, in the order of the files", async () => {
    const files = project({ [USER]: `{ "hooks": { "definitions": [\n${row("a")},\n${row("b")}] } }` });
    const { hooks, asked } = await following(files);
    await asked("x");
    files.write(USER, `{ "hooks": { "definitions": [\n${row("a")},\n${row("b")},\n${row("c")}] } }`);
    files.write("managed/hooks.yaml", `{ "hooks": { "definitions": [\n${row("m")}] } }`);
    await asked("x");
    expect(hooks.stats().map(({ name, runs }) => [name, runs])).toEqual([
      ["tenterhook:self-protection", 1],
      ["m", 1],
      ["a", 2],
      ["b", 2],
      ["c", 1],
    ]);
  });

  const row = (name: string) =>
    `{ "name": "${name}", "type": "inline", "matcher": { "events": ["PreToolUse"] }, "rules": "command contains \\"${name}${name}\\" -> deny(\\"no\\")" }`;

  it("leaves hooks of the program alone, and so does the end", async () => {
    const files = project({ [USER]: hooksFile("a") });
    const { hooks, followed, asked } = await following(files);
    hooks.on("PreToolUse", { name: "own" }, () => undefined);
    files.write(USER, hooksFile("b"));
    await asked("x");
    expect(hooks.list().map(({ name }) => name)).toEqual(["tenterhook:self-protection", "b", "own"]);
    followed.close();
    files.write(USER, hooksFile("c"));
    await asked("x");
    expect(hooks.list().map(({ name }) => name)).toEqual(["own"]);
  });
});

describe("files that can't be used", () => {
  const BAD = `${hooksFile("a")}\n}`;

  it("leave the last good configuration in force, and every decision says so", async () => {
    const files = project({ [USER]: hooksFile("a") });
    const { hooks, asked, followed } = await following(files);
    files.write(USER, "hooks:\n  definitons: []\n");
    const message =
      'The configuration can\'t be read; the last good one is in force.\nuser/tenterhook/hooks.yaml:2:3: hooks has the unknown key "definitons". Did you mean "definitions"?';
    for (const command of ["a", "x"]) {
      const { action, user_messages } = await hooks.fire(bashCall(command));
      expect([action, shown(files, user_messages)]).toEqual([
        command === "a" ? "deny" : "continue",
        [message],
      ]);
      expect(user_messages[0]?.level).toBe("warning");
    }
    const { user_messages } = await hooks.fire({ ...HERE, hook_event_name: "Stop" });
    expect([shown(files, user_messages), followed.config.broken?.last_good]).toEqual([[message], true]);
    files.write(USER, hooksFile("b"));
    expect([await asked("a"), await asked("b"), followed.config.broken]).toEqual([
      "continue",
      "deny",
      undefined,
    ]);
    expect((await hooks.fire(bashCall("x"))).user_messages).toEqual([]);
  });

  it("are reported once, whatever else goes wrong", async () => {
    const files = project({ [USER]: hooksFile("a") });
    const { hooks } = await following(files);
    hooks.on("PreToolUse", { name: "failing" }, () => {
      throw new Error("no");
    });
    files.write(USER, "hooks: [");
    const { user_messages } = await hooks.fire(bashCall("x"));
    expect(user_messages.map(({ hook }) => hook)).toEqual(["tenterhook:configuration", "failing"]);
  });

  it("that the set refuses are as bad", async () => {
    const files = project({ [USER]: hooksFile("a") });
    const { asked, followed } = await following(files);
    files.write(USER, hooksFile("b").replace("PreToolUse", "Notification"));
    expect([
      await asked("a"),
      shown(files, followed.config.broken?.problems.map(({ message: text }) => ({ text })) ?? []),
    ]).toEqual([
      "deny",
      ['Hook "b" has a rule for deny, which Notification can\'t have (only user_message, abort).'],
    ]);
    files.write(USER, hooksFile("b"));
    expect([await asked("a"), await asked("b")]).toEqual(["continue", "deny"]);
  });

  it("let a new process go on with what an earlier one kept, from any folder of the project", async () => {
    const files = project({ "hooks.yaml": hooksFile("a") });
    await files.trust();
    (await following(files)).followed.close();
    files.write("hooks.yaml", BAD);
    rmSync(files.path("cache"), { recursive: true });
    mkdirSync(files.path("project/deep"));
    for (const cwd of [files.path("project"), files.path("project/deep")]) {
      const { asked, followed } = await following({ ...files, options: { ...files.options, cwd } });
      expect([await asked("a"), await asked("x"), followed.config.broken?.last_good]).toEqual([
        "deny",
        "continue",
        true,
      ]);
    }
  });

  it("close every gate when there is nothing to go on with, and say file, line and message", async () => {
    const files = project({ [USER]: "hooks: [" });
    const { hooks, asked } = await following(files);
    const message = expect.stringMatching(
      /^The configuration can't be read, and there is no last good one\.\nuser\/tenterhook\/hooks\.yaml:1:\d+: /,
    );
    const { action, reason = "" } = await hooks.fire(bashCall("ls"));
    expect([action, ...shown(files, [{ text: reason }])]).toEqual(["deny", message]);
    const { action: open, user_messages } = await hooks.fire({ ...HERE, hook_event_name: "Stop" });
    expect([open, shown(files, user_messages)]).toEqual(["continue", [message]]);
    const switching = { ...HERE, hook_event_name: "ModelSwitch", old_model: "a", new_model: "b" } as const;
    expect((await hooks.fire(switching)).action).toBe("deny");
    files.write(USER, hooksFile("a"));
    expect([await asked("a"), await asked("x")]).toEqual(["deny", "continue"]);
  });

  it("bring back nothing that is not trusted any more", async () => {
    const files = project({
      "hooks.yaml":
        "hooks: { definitions: [{ name: s, type: command, script: s.sh, matcher: { events: [Stop] } }] }\npermissions: { allow: [Read] }",
      "project/s.sh": "exit 0\n",
    });
    await files.trust();
    const reasons = async () => {
      const { definitions, settings, broken } = await loadConfigCached(files.options);
      return [broken?.last_good, definitions.map(({ untrusted }) => untrusted), settings.permissions];
    };
    expect(await reasons()).toEqual([undefined, [undefined], { allow: ["Read"] }]);
    files.write("hooks.yaml", "hooks: [");
    expect(await reasons()).toEqual([true, [undefined], { allow: ["Read"] }]);
    files.write("project/s.sh", "evil\n");
    expect(await reasons()).toEqual([true, ["s.sh has changed since it was trusted"], { allow: ["Read"] }]);
    files.write("project/s.sh", "exit 0\n");
    await revokeTrust(files.options);
    expect(await reasons()).toEqual([true, ["it is not trusted yet"], {}]);
  });
});

it("a script runs when it is trusted, and not at the first event after a change", async () => {
  const files = project({
    "hooks.yaml":
      "hooks: { definitions: [{ name: c, type: command, script: s.sh, matcher: { events: [Stop] } }] }",
    "project/s.sh": "echo ran >> ran.txt\n",
  });
  const { hooks } = await following(files);
  const stop = async () => {
    const { runs } = await hooks.fire({ ...HERE, cwd: files.path("project"), hook_event_name: "Stop" });
    const ran = existsSync(files.path("project/ran.txt"));
    rmSync(files.path("project/ran.txt"), { force: true });
    return [ran, runs.map(({ failure }) => failure?.kind)];
  };
  const [RUN, HELD] = [
    [true, [undefined]],
    [false, ["untrusted"]],
  ];
  expect(await stop()).toEqual(HELD);
  await files.trust();
  expect(await stop()).toEqual(RUN);
  files.write("project/s.sh", "echo other >> ran.txt\n");
  expect(await stop()).toEqual(HELD);
  await grantTrust(await reviewTrust(files.options), files.options);
  expect(await stop()).toEqual(RUN);
  await revokeTrust(files.options);
  expect(await stop()).toEqual(HELD);
});

it("a script of a command that was not there when it was trusted is not run when it comes", async () => {
  const files = project({
    "hooks.yaml":
      "hooks: { definitions: [{ name: c, type: command, command: sh later.sh, matcher: { events: [Stop] } }] }",
  });
  await files.trust();
  const { hooks } = await following(files);
  const failures = async () =>
    (await hooks.fire({ ...HERE, hook_event_name: "Stop" })).runs.map(({ failure }) =>
      failure?.kind === "untrusted" ? failure.message : undefined,
    );
  expect(await failures()).toEqual([undefined]);
  files.write("project/later.sh", "evil\n");
  expect(await failures()).toEqual([
    expect.stringContaining("hooks.yaml:1: later.sh has changed since it was trusted."),
  ]);
  expect((await loadConfigCached(files.options)).trust.state).toBe("untrusted");
});
