import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { auggieTable } from "../../src/adapters/auggie/auggie.ts";
import { claudeTable } from "../../src/adapters/claude/claude.ts";
import { geminiTable } from "../../src/adapters/gemini/gemini.ts";
import { rememberProofs } from "../../src/install/proofs.ts";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { newProject, type Project } from "./support/project.ts";

/** What Claude Code is to call for a gate: that, and what tells its state. */
const EVENTS = "SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, Stop, Notification";

const RULE = 'tool equals "X" -> deny("No.")';
const GUARD = { name: "guard", type: "inline", matcher: { events: ["PreToolUse"] }, rules: RULE };

/** The version of each agent that was proven last. */
const PROVEN: Readonly<Record<string, string>> = Object.fromEntries(
  [auggieTable, claudeTable, geminiTable].map(({ name, evidence }) => [name, evidence.version]),
);

/**
 * A project whose user has a Claude Code of this version, or these agents: packages, so that no program has to tell.
 * Without a version, of those that were proven.
 */
function projectWith(given: string | undefined, agents: readonly string[] = ["claude"]): Project {
  const project = newProject();
  const programs = join(project.folder, "bin");
  mkdirSync(programs);
  for (const agent of agents) {
    const version = given ?? PROVEN[agent];
    const manifest = { name: agent, version, bin: { [agent]: "program" } };
    project.write(`../lib/node_modules/${agent}/package.json`, JSON.stringify(manifest));
    symlinkSync(project.write(`../lib/node_modules/${agent}/program`, "#!/bin/sh\n"), join(programs, agent));
  }
  project.environment.PATH = [programs, process.env.PATH].join(delimiter);
  return project;
}

/** What the doctor says about something. */
async function findingsAbout(
  project: Project,
  about: string,
): Promise<readonly (readonly [level: unknown, message: unknown])[]> {
  const { stdout } = await project.run(["doctor", "--json"]);
  const { findings }: { findings: readonly Readonly<Record<string, unknown>>[] } = JSON.parse(stdout);
  return findings
    .filter((finding) => finding.about === about)
    .map(({ level, message, fix }) => [level, fix === undefined ? message : `${message} Fix: ${fix}`]);
}

describe("tenterhook check", () => {
  it("does not call a daemon well whose installation was removed or replaced", async () => {
    const project = newProject();
    const calls = { lastCall: () => 0, isReplaced: () => true, close: async () => undefined };
    await projectDaemon(project, { serveCalls: async () => calls });
    delete project.environment.TENTERHOOK_DAEMON;
    const ends = "its installation was removed or replaced, so it ends. The next call starts another one.";
    expect(await findingsAbout(project, "monitor")).toEqual([["warning", expect.stringContaining(ends)]]);
  });

  it.each([
    ["2.1.240", true],
    ["2.1.241", false],
    ["10.0.0", false],
  ])("tells whether Claude Code %s refuses when we can't be run", async (version, isOld) => {
    const project = projectWith(version);
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    const old = [
      "warning",
      `Claude Code ${version} does not know onFailure, which came with 2.1.241: where our program is missing, killed or broken, the call runs unchecked. Update it.`,
    ];
    const found = await findingsAbout(project, "claude");
    expect(found.filter(([, message]) => !String(message).includes("is newer than"))).toEqual([
      ["ok", `Claude Code ${version}.`],
      ...(isOld ? [old] : []),
      ["ok", `.claude/settings.json calls Tenterhook for ${EVENTS}.`],
    ]);
  });

  it("says in one line that nobody has proven a version, until its user has", async () => {
    const project = projectWith("99.0.0");
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    const { version } = claudeTable.evidence;
    const newer = `Claude Code 99.0.0 is newer than ${version}, the last version that was proven: tenterhook prove claude.`;
    expect(await findingsAbout(project, "claude")).toContainEqual(["warning", newer]);
    const proven = { time: "2026-11-19T06:00:00.000Z", obeys: true };
    await rememberProofs(project.environment, { claude: { ...proven, version: "98.0.0" } });
    expect(await findingsAbout(project, "claude")).toContainEqual(["warning", newer]);
    await rememberProofs(project.environment, { claude: { ...proven, version: "99.0.0" } });
    expect(await findingsAbout(project, "claude")).not.toContainEqual(["warning", newer]);
  });

  it("says before the first call that opencode 2 does not load a plug-in for opencode 1", async () => {
    const project = projectWith("2.2.0", ["opencode"]);
    await project.configure([GUARD]);
    await project.run(["install", "opencode"]);
    const unproven = [
      "warning",
      expect.stringMatching(
        /^opencode 2\.2\.0 is newer than 1\.[\d.]+, .*: tenterhook prove opencode\. There our plug-in asks/,
      ),
    ];
    expect(await findingsAbout(project, "opencode")).toContainEqual(unproven);
    const file = join(project.cwd, ".opencode/plugins/tenterhook.js");
    const [first = "", settings = ""] = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, [first, settings, "export const Tenterhook = async () => ({});", ""].join("\n"));
    expect(await findingsAbout(project, "opencode")).toContainEqual([
      "error",
      ".opencode/plugins/tenterhook.js: opencode 2.2.0 does not load this plug-in, which is for opencode 1: tenterhook install --sync.",
    ]);
    await project.run(["install", "--sync"]);
    expect((await findingsAbout(project, "opencode")).filter(([level]) => level === "error")).toEqual([]);
  });

  it.each([
    ["0.169.0", "", true],
    ["0.169.0", "trusted", false],
    ["0.169.0", "untrusted", true],
    ["0.166.0", "", false],
  ])("tells whether Codex %s reads a project whose folder is %s", async (version, trust, isClosed) => {
    const project = projectWith(version, ["codex"]);
    await project.configure([GUARD]);
    const folder = `[projects.${JSON.stringify(project.cwd)}]\ntrust_level = "${trust}"\n`;
    project.write("../home/.codex/config.toml", trust === "" ? "" : folder);
    const { PATH } = project.environment;
    // Where it is, install asks the program itself.
    project.environment.PATH = project.folder;
    await project.run(["install", "codex", "--trust"]);
    project.environment.PATH = PATH;
    const closed = [
      "error",
      ".codex/hooks.json: Codex 0.169 reads the settings of a project only once you have trusted its folder. Start codex there once and trust it, or: tenterhook install codex --user --trust.",
    ];
    const errors = (await findingsAbout(project, "codex")).filter(([level]) => level === "error");
    expect(errors).toEqual(isClosed ? [closed] : []);
  });

  it("does not count on a program that only npm finds, and neither does install", async () => {
    const project = newProject();
    const programs = join(project.folder, "node_modules/.bin");
    mkdirSync(programs, { recursive: true });
    writeFileSync(join(programs, "tenterhook"), "#!/bin/sh\n", { mode: 0o755 });
    project.environment.PATH = programs;
    await project.configure([GUARD]);
    const note =
      "Agents that are started from a shell will not find tenterhook; only npm finds it here. Install it globally: npm install -g tenterhook.";
    expect(await findingsAbout(project, "tenterhook")).toEqual([
      ["ok", expect.stringMatching(/; agents call .*node_modules\/\.bin\/tenterhook\.$/)],
    ]);
    project.environment.npm_execpath = "/usr/lib/npx-cli.js";
    expect(await findingsAbout(project, "tenterhook")).toEqual([["error", expect.stringContaining(note)]]);
    expect((await project.run(["install", "claude", "-v"])).stdout).toContain(note);
  });

  it("tells of entries that are not what the configuration needs any more", async () => {
    const project = projectWith("2.1.325");
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    await project.configure([{ ...GUARD, timeout: 900 }]);
    expect(await findingsAbout(project, "claude")).toContainEqual([
      "error",
      "Claude Code may cut a hook on PreToolUse off after 600 s; yours may take 1890. Fix: tenterhook install --sync",
    ]);
    await project.run(["install", "--sync"]);
    expect((await findingsAbout(project, "claude")).length).toBe(2);
  });

  it("tells of entries that somebody has changed, beside events that are missing", async () => {
    const project = projectWith("2.1.325");
    await project.configure([{ ...GUARD, matcher: { events: ["PreToolUse", "Stop"] } }]);
    const handler = { type: "command", command: "tenterhook hook", timeout: 1, async: true };
    project.write(
      ".claude/settings.json",
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Write", hooks: [handler] }] } }),
    );
    expect((await findingsAbout(project, "claude")).slice(2, 4)).toEqual([
      [
        "error",
        "Claude Code does not call Tenterhook for SessionStart, SessionEnd, UserPromptSubmit, Stop, Notification. Fix: tenterhook install --sync",
      ],
      [
        "error",
        "The entry that has Claude Code call Tenterhook for PreToolUse was changed: matcher, timeout, onFailure, async. Fix: tenterhook install --sync",
      ],
    ]);
  });

  it("tells of settings that Claude Code does not read, with the line", async () => {
    const project = projectWith("2.1.325");
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    const file = join(project.cwd, ".claude/settings.json");
    const text = readFileSync(file, "utf8");
    project.write(".claude/settings.json", text.replace("{\n", "{\n  // mine\n"));
    project.write("../home/.claude/settings.json", '{ "a": [1,] }');
    const unread = (path: string, what: string, scope: string): string =>
      `${path}: its hooks do not run: Claude Code reads strict JSON only, and ${what}. tenterhook install claude --${scope} --strip-comments removes that.`;
    expect((await findingsAbout(project, "claude")).slice(1)).toEqual([
      ["error", unread(".claude/settings.json", "line 2 holds a comment", "project")],
      ["ok", `.claude/settings.json calls Tenterhook for ${EVENTS}.`],
      ["warning", unread("~/.claude/settings.json", "line 1 holds a comma before a closing bracket", "user")],
    ]);
  });

  it("tells of settings for which Claude Code applies nothing of the file", async () => {
    const project = projectWith("2.1.325");
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    const file = join(project.cwd, ".claude/settings.json");
    const settings = JSON.parse(readFileSync(file, "utf8"));
    settings.hooks.PermissionRequest = [{ matcher: "Bash", hooks: [{ type: "command" }] }];
    project.write(".claude/settings.json", JSON.stringify(settings));
    expect((await findingsAbout(project, "claude"))[1]).toEqual([
      "error",
      ".claude/settings.json: its hooks do not run: Claude Code ignores a file with an invalid setting, and line 1 has one: hooks.PermissionRequest.0.hooks.0.command must be a string. Correct it there.",
    ]);
  });

  it("names the scope that hooks of the user's own need to be called in every folder", async () => {
    const project = projectWith("99.0.0");
    const own = join(project.folder, "config/tenterhook");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "hooks.yaml"), JSON.stringify({ hooks: { definitions: [GUARD] } }));
    const hint = "tenterhook install claude --user";
    expect(await findingsAbout(project, "agents")).toEqual([["warning", expect.stringContaining(hint)]]);
    expect(await findingsAbout(project, "claude")).toContainEqual(["note", expect.stringContaining(hint)]);
    await project.configure([{ ...GUARD, name: "shared" }]);
    expect(await findingsAbout(project, "claude")).toContainEqual([
      "note",
      expect.stringContaining("tenterhook install claude."),
    ]);
  });

  it("finds nothing wrong with packs in agents that can't ask: what nobody can change is a note", async () => {
    const project = projectWith(undefined, ["gemini", "auggie", "claude"]);
    const program = join(project.folder, "bin/tenterhook");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    await project.configure([GUARD], { use: ["safe-shell", "git-safety"] });
    await project.run(["install", "gemini"]);
    await project.run(["install", "auggie"]);
    const closed = "Gemini CLI starts no hook here until you start it once and trust the folder.";
    expect(await findingsAbout(project, "gemini")).toContainEqual(["warning", closed]);
    project.write("../home/.gemini/trustedFolders.json", JSON.stringify({ [project.cwd]: "TRUST_FOLDER" }));
    const { stdout, code } = await project.run(["doctor"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        `  ✓ tenterhook     Version ${PACKAGE_VERSION}; agents call ${program}.`,
        "  ✓ guard          Guarded: Gemini CLI (all 12 hooks, never proven), Auggie (all 12 hooks). Not: Claude Code (not installed).",
        "  ✓ configuration  12 hooks of 1 file.",
        "  ✓ trust          Trusted.",
        "  ✓ monitor        No daemon runs, and none is needed: hooks decide without it.",
        `  ✓ claude         Claude Code ${PROVEN.claude}.`,
        `  ✓ gemini         Gemini CLI ${PROVEN.gemini}. .gemini/settings.json calls Tenterhook for SessionStart, SessionEnd, BeforeAgent, AfterAgent, BeforeTool, Notification.`,
        `  ✓ auggie         Auggie ${PROVEN.auggie}. .augment/settings.json calls Tenterhook for SessionStart, PromptSubmit, PreToolUse, Stop, SessionEnd, Notification.`,
        "  -v shows what else is worth knowing",
        "",
        "  No problems found.",
        "",
      ].join("\n"),
    });
  });

  it("says once what concerns many hooks, and names them all with -v", async () => {
    const project = projectWith("99.0.0", []);
    mkdirSync(join(project.folder, "home/.codex"), { recursive: true });
    const asking = ["one", "two", "three", "four"].map((name) => ({
      ...GUARD,
      name,
      rules: 'tool equals "X" -> ask("Really?")',
    }));
    await project.configure(asking);
    await project.run(["install", "codex"]);
    const cause = (hooks: string): string =>
      `Codex does not support ask on PreToolUse (hooks ${hooks}): it is refused instead.`;
    expect((await findingsAbout(project, "codex")).filter(([level]) => level === "note")).toEqual([
      ["note", "Codex is not on the PATH."],
      [
        "note",
        "Codex sends no event for write_stdin: what a running program reads from there is not judged.",
      ],
      ["note", cause("one, two, three, four")],
    ]);
    expect((await project.run(["doctor", "-v"])).stdout).toContain(cause("one, two, three, four"));
    expect((await project.run(["install", "codex", "-v"])).stdout).toContain(
      "It does not support ask on PreToolUse (hooks one, two and 2 more): it is refused instead.",
    );
  });

  it("warns of a guard of one's own that an agent leaves open", async () => {
    const project = projectWith(undefined, ["auggie"]);
    await project.configure([GUARD, { ...GUARD, name: "calls", matcher: { events: ["PermissionRequest"] } }]);
    await project.run(["install", "auggie"]);
    expect((await findingsAbout(project, "auggie")).filter(([level]) => level === "warning")).toEqual([
      ["warning", "Auggie never sends PermissionRequest; hooks on it will not run there."],
    ]);
  });

  it("reads the version of an npm package without starting its program", async () => {
    const project = projectWith("0.0.1", []);
    const folder = join(project.folder, "lib/node_modules/@google/gemini-cli");
    mkdirSync(join(folder, "dist"), { recursive: true });
    const manifest = { name: "@google/gemini-cli", version: "7.8.9", bin: { gemini: "dist/gemini.js" } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "dist/package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "dist/gemini.js"), `#!/bin/sh\ntouch '${project.folder}/started'\n`, {
      mode: 0o755,
    });
    symlinkSync(join(folder, "dist/gemini.js"), join(project.folder, "bin/gemini"));
    expect(await findingsAbout(project, "gemini")).toContainEqual(["ok", "Gemini CLI 7.8.9."]);
    expect(existsSync(join(project.folder, "started"))).toBe(false);
  });

  it("looks at agents when the configuration is broken too", async () => {
    const project = projectWith("2.1.325");
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    project.write(".tenterhook/hooks.yaml", "hooks: [");
    const { stdout, code } = await project.run(["check"]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^error {4}\.tenterhook\/hooks\.yaml:1:/)]);
    expect(await findingsAbout(project, "claude")).toEqual([
      ["ok", "Claude Code 2.1.325."],
      ["ok", `.claude/settings.json calls Tenterhook for ${EVENTS}.`],
    ]);
  });

  it("tells when nothing can be kept, and what that means", async () => {
    const project = newProject();
    expect(await findingsAbout(project, "state")).toEqual([]);
    project.write("file", "");
    project.environment.XDG_STATE_HOME = join(project.cwd, "file");
    expect(await findingsAbout(project, "state")).toEqual([
      ["error", expect.stringContaining(`${join(project.cwd, "file/tenterhook")} can't be used`)],
    ]);
  });

  it("tells that calls come twice, and are decided once", async () => {
    const project = projectWith("2.1.325");
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    await project.run(["install", "claude", "--user"]);
    expect(await findingsAbout(project, "claude")).toContainEqual([
      "ok",
      "Tenterhook is installed in .claude/settings.json and ~/.claude/settings.json; duplicate calls are decided once.",
    ]);
  });

  it("tells of matchers that can never match", async () => {
    const project = projectWith("2.1.325");
    const rules = 'event equals "X" -> context("Never.")';
    await project.configure([
      { name: "stop", type: "inline", matcher: { events: ["Stop", "SessionStart"], tools: ["Bash"] }, rules },
      { name: "server", type: "inline", matcher: { events: ["PreToolUse"], tools: ["mcp__docs"] }, rules },
      { name: "some", type: "inline", matcher: { events: ["Stop", "PreToolUse"], tools: ["Bash"] }, rules },
    ]);
    expect(await findingsAbout(project, "hook stop")).toEqual([
      ["warning", "It can never match: Stop and SessionStart have nothing that tools could look at."],
    ]);
    expect(await findingsAbout(project, "hook server")).toEqual([
      ["warning", "mcp__docs fits no tool: a server's tools are mcp__docs__*."],
    ]);
    expect(await findingsAbout(project, "hook some")).toEqual([]);
  });

  it("tells what waits for the monitor", async () => {
    const project = projectWith("2.1.325");
    expect(await findingsAbout(project, "monitor")).toEqual([
      ["ok", "No daemon runs, and none is needed: hooks decide without it."],
    ]);
    await project.run(["emit", "agent:idle", "--agent", "a1"]);
    expect(await findingsAbout(project, "monitor")).toEqual([
      ["ok", "No daemon runs, and none is needed: hooks decide without it. 1 event waits for it."],
    ]);
  });

  it("has states and prompts reported once the configuration has a monitor section", async () => {
    const project = projectWith("2.1.325");
    project.write(
      "../config/tenterhook/hooks.yaml",
      stringify({ monitor: { on_prompt: { action: "answer", wait: "20m" } } }),
    );
    const { stdout } = await project.run(["install", "claude", "--json", "--settings", "own.json"]);
    expect(JSON.parse(stdout).installed[0].events).toEqual([
      "SessionStart",
      "SessionEnd",
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "PostToolUse",
      "Stop",
      "StopFailure",
      "Notification",
    ]);
  });
});
