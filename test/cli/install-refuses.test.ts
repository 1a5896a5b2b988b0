import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookCommand } from "../../src/adapters/settings/hook-command.ts";
import { commandHook } from "../support/hook-definitions.ts";
import { newProject, type Project, UNWATCHED } from "./support/project.ts";

const GUARD = commandHook("guard", "true");
const SETTINGS = ".claude/settings.json";

async function projectWith(settings: string | Uint8Array): Promise<Project> {
  const project = newProject();
  await project.configure([GUARD], {}, UNWATCHED);
  mkdirSync(join(project.cwd, ".claude"));
  writeFileSync(join(project.cwd, SETTINGS), settings);
  return project;
}

const settingsOf = ({ cwd }: Project): Uint8Array => readFileSync(join(cwd, SETTINGS));

describe("installing into settings that would not be read", () => {
  it.each([
    [
      "a comment",
      '{\n  "model": "x" // mine\n}\n',
      "Claude Code reads strict JSON only, and line 2 holds a comment",
    ],
    ["a key twice", '{"hooks": {},\n"hooks": {}}', 'Line 2: "hooks" is there for the second time'],
    [
      "a hook of others that Claude Code can't load",
      '{"hooks": {"PreToolUse": [\n{"type": "command", "command": "true"}]}}',
      "and line 2 has one: hooks.PreToolUse.0.hooks must be a list: its hooks would not run.\n  Correct the file",
    ],
    ["no UTF-8", Buffer.from('{"name": "J\xfcrgen"}', "latin1"), "is not UTF-8 text"],
  ])("is refused for %s, and the file stays", async (_what, before, why) => {
    const project = await projectWith(before);
    const { code, stderr } = await project.run(["install", "claude"]);
    expect(code).toBe(1);
    expect(stderr).toContain(why);
    expect(stderr).toContain(SETTINGS);
    expect(settingsOf(project)).toEqual(Buffer.from(before));
  });

  it("is refused at once where no folder can be made for them", async () => {
    const project = newProject();
    await project.configure([GUARD]);
    const { code, stderr } = await project.run([
      "install",
      "claude",
      "--settings",
      "/proc/none/settings.json",
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("/proc/none/settings.json can't be written")]);
  });

  it("puts right what is wrong with an entry of ours", async () => {
    const ours = { type: "command", command: "tenterhook hook", timeout: "600", onFailure: "closed" };
    const project = await projectWith(JSON.stringify({ hooks: { PreToolUse: [{ hooks: [ours] }] } }));
    expect(await project.run(["install", "claude"])).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(settingsOf(project).toString())).toEqual({
      hooks: {
        PreToolUse: [
          { hooks: [{ ...ours, command: hookCommand({ gate: true }), timeout: 600, onFailure: "block" }] },
        ],
      },
    });
  });

  it("takes comments out when told to, and keeps the file as it was", async () => {
    const before = '{\n  // mine\n  "model": "x", // yours\n}\n';
    const project = await projectWith(before);
    const { code, stderr } = await project.run(["install", "claude", "--strip-comments"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(settingsOf(project).toString())).toMatchObject({
      model: "x",
      hooks: { PreToolUse: [{}] },
    });
    const backups = join(project.folder, "state/tenterhook/backups");
    expect(readdirSync(backups).map((name) => readFileSync(join(backups, name), "utf8"))).toEqual([before]);
    await project.run(["uninstall", "claude"]);
    expect(settingsOf(project).toString()).toBe('{\n  "model": "x"\n}\n');
  });

  it("is refused where nobody can say where the user's settings are", async () => {
    const project = newProject();
    await project.configure([GUARD]);
    project.environment.CLAUDE_CONFIG_DIR = "";
    const { code, stderr } = await project.run(["install", "claude", "--user"]);
    expect(code).toBe(1);
    expect(stderr).toContain('The user settings of Claude Code have a relative path: "settings.json".');
    expect(readdirSync(project.cwd).toSorted()).toEqual([".git", ".tenterhook"]);
  });
});

it("a link to settings that are not there yet stays a link", async () => {
  const project = newProject();
  await project.configure([GUARD]);
  mkdirSync(join(project.cwd, ".claude"));
  mkdirSync(join(project.cwd, "dot"));
  symlinkSync("../dot/real.json", join(project.cwd, SETTINGS));
  await project.run(["install", "claude"]);
  expect(JSON.parse(readFileSync(join(project.cwd, "dot/real.json"), "utf8"))).toMatchObject({ hooks: {} });
  await project.run(["uninstall", "claude"]);
  expect(lstatSync(join(project.cwd, SETTINGS)).isSymbolicLink()).toBe(true);
  expect(existsSync(join(project.cwd, "dot/real.json"))).toBe(false);
});

describe("install --trust", () => {
  async function untrusted(): Promise<Project> {
    const project = newProject();
    await project.configure([GUARD]);
    await project.run(["trust", "--revoke"]);
    return project;
  }
  const state = async (project: Project): Promise<unknown> =>
    JSON.parse((await project.run(["trust", "--list", "--json"])).stdout).state;

  it("trusts nothing in a dry run, and nothing for an agent that is not there", async () => {
    const project = await untrusted();
    const { stdout } = await project.run(["install", "claude", "--dry-run", "--trust"]);
    expect(stdout).toContain("Would be trusted: 1 file.");
    expect(await state(project)).toBe("untrusted");
    expect((await project.run(["install", "claud", "--trust"])).code).toBe(2);
    expect(await state(project)).toBe("untrusted");
  });

  it("install --trust shows what it trusts", async () => {
    const project = await untrusted();
    const { stdout } = await project.run(["install", "claude", "--trust"]);
    expect(stdout).toContain("name: guard");
    expect(stdout).toContain('command: "true"');
    expect(stdout).toContain("Trusted: 1 file.");
    expect(await state(project)).toBe("trusted");
  });
});

it("events that only hooks for other hosts need are not asked for", async () => {
  const project = newProject();
  await project.configure(
    [
      { ...GUARD, name: "codex", matcher: { events: ["PreToolUse"], hosts: ["codex"] } },
      { ...GUARD, name: "both", matcher: { events: ["Stop"], hosts: ["codex|claude"] } },
      { ...GUARD, name: "pattern", matcher: { events: ["Notification"], hosts: ["c*"] } },
    ],
    {},
    UNWATCHED,
  );
  const { stdout } = await project.run(["install", "claude", "--json"]);
  expect(JSON.parse(stdout).installed[0].events).toEqual([
    "PreToolUse", // for self-protection
    "Stop",
    "Notification",
  ]);
});

it("hooks that another file switches off are told of", async () => {
  const project = newProject();
  await project.configure([GUARD]);
  project.write("../home/.claude/settings.json", '{ "disableAllHooks": true }');
  const { stdout } = await project.run(["install", "claude", "--json"]);
  expect(JSON.parse(stdout).installed[0].notes).toContain(
    "No hook will run: ~/.claude/settings.json: disableAllHooks is true there.",
  );
});
