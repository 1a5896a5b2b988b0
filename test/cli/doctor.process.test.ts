import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { newProject, type Project } from "./support/project.ts";

const RULE = 'tool equals "X" -> deny("No.")';
const GUARD = { name: "guard", type: "inline", matcher: { events: ["PreToolUse"] }, rules: RULE };

/** A project whose user has a Claude Code of this version. */
function projectWith(version: string): Project {
  const project = newProject();
  const programs = join(project.folder, "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, "claude"), `#!/bin/sh\necho '${version} (Claude Code)'\n`, { mode: 0o755 });
  project.environment.PATH = [programs, process.env.PATH].join(delimiter);
  return project;
}

/** What the doctor says about something. */
async function findingsAbout(project: Project, about: string): Promise<readonly unknown[]> {
  const { stdout } = await project.run(["doctor", "--json"]);
  const { findings }: { findings: readonly Readonly<Record<string, unknown>>[] } = JSON.parse(stdout);
  return findings.filter((finding) => finding.about === about).map(({ level, message }) => [level, message]);
}

describe("tenterhook doctor", () => {
  it.each([
    ["2.1.240", true],
    ["2.0.999", true],
    ["2.1.241", false],
    ["2.2.0", false],
    ["10.0.0", false],
  ])("tells whether Claude Code %s refuses when we can't be run", async (version, isOld) => {
    const project = projectWith(version);
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    const old = [
      "warning",
      `Claude Code ${version} does not know onFailure, which came with 2.1.241: where our program is missing, killed or broken, the call goes on. Update it.`,
    ];
    expect(await findingsAbout(project, "claude")).toEqual([
      ["ok", `Claude Code ${version}.`],
      ...(isOld ? [old] : []),
      ["ok", ".claude/settings.json calls Tenterhook for PreToolUse."],
    ]);
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
    expect((await project.run(["install", "claude"])).stdout).toContain(note);
  });

  it("tells of entries that are not what the configuration needs any more", async () => {
    const project = projectWith("2.1.325");
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    await project.configure([{ ...GUARD, timeout: 900 }]);
    expect(await findingsAbout(project, "claude")).toContainEqual([
      "error",
      ".claude/settings.json calls Tenterhook for PreToolUse differently than the configuration requires (timeout): tenterhook install --sync.",
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
      ["error", ".claude/settings.json does not call Tenterhook for Stop: tenterhook install --sync."],
      [
        "error",
        ".claude/settings.json calls Tenterhook for PreToolUse differently than the configuration requires (matcher, timeout, onFailure, async): tenterhook install --sync.",
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
      `${path}: its hooks do not run: Claude Code reads strict JSON only, and ${what}. tenterhook install claude --scope ${scope} --strip-comments removes that.`;
    expect((await findingsAbout(project, "claude")).slice(1)).toEqual([
      ["error", unread(".claude/settings.json", "line 2 holds a comment", "project")],
      ["ok", ".claude/settings.json calls Tenterhook for PreToolUse."],
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

  it("looks at agents when the configuration is broken too", async () => {
    const project = projectWith("2.1.325");
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    project.write(".tenterhook/hooks.yaml", "hooks: [");
    expect(await findingsAbout(project, "configuration")).toEqual([
      ["error", expect.stringMatching(/^\.tenterhook\/hooks\.yaml:1:/)],
    ]);
    expect(await findingsAbout(project, "claude")).toEqual([
      ["ok", "Claude Code 2.1.325."],
      ["ok", ".claude/settings.json calls Tenterhook for PreToolUse."],
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
    await project.run(["install", "claude", "--scope", "user"]);
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
