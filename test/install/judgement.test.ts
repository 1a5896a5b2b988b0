import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { rememberProofs } from "../../src/install/proofs.ts";
import { UNWATCHED } from "../cli/support/project.ts";
import { machineWith, sentenceOf } from "./support.ts";

const PROMPT_RULE = 'prompt contains "secret" -> deny("Not that.")';
const GUARD = {
  name: "guard",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'tool equals "X" -> deny("No.")',
};

const command = (name: string, event: string) => ({
  name,
  type: "command",
  matcher: { events: [event] },
  command: ".tenterhook/run.sh",
});

const FIVE = [
  GUARD,
  command("format", "PostToolUse"),
  command("context", "SessionStart"),
  command("tests", "Stop"),
  command("tell", "Notification"),
];

const VERSION = "2.1.326";

/** Claude Code calls us for one hook. */
async function guarded() {
  const project = machineWith({ claude: VERSION });
  project.write(".tenterhook/run.sh", "#!/bin/sh\n");
  await project.configure([GUARD], {}, UNWATCHED);
  await project.run(["install", "claude"]);
  return project;
}

describe("whether a project is guarded", () => {
  it("is said with every agent, its hooks and when it was proven", async () => {
    const project = machineWith({ claude: VERSION, codex: "0.169.0" });
    project.write(".tenterhook/run.sh", "#!/bin/sh\n");
    await project.configure(FIVE);
    expect(await sentenceOf(project)).toBe(
      "Not guarded: Claude Code (not installed), Codex (not installed).",
    );
    await project.run(["install", "claude"]);
    expect(await sentenceOf(project)).toBe(
      "Guarded: Claude Code (all 5 hooks, never proven). Not: Codex (not installed).",
    );
    const time = new Date().toISOString();
    await rememberProofs(project.environment, { claude: { time, obeys: true, version: VERSION } });
    expect(await sentenceOf(project)).toBe(
      "Guarded: Claude Code (all 5 hooks, proven today). Not: Codex (not installed).",
    );
    await rememberProofs(project.environment, { claude: { time, obeys: true, version: "2.0.0" } });
    expect(await sentenceOf(project)).toContain(`Claude Code (all 5 hooks, ${VERSION} not proven)`);
    await rememberProofs(project.environment, { claude: { time, obeys: false, version: VERSION } });
    expect(await sentenceOf(project)).toBe(
      "Not guarded: Claude Code (all 5 hooks, it did not obey when it was proven today), Codex (not installed).",
    );
  });

  it("counts no hook for whose event the settings do not call us", async () => {
    const project = await guarded();
    await project.configure(FIVE, {}, UNWATCHED);
    expect(await sentenceOf(project)).toBe(
      "Guarded: Claude Code (1 of 5 hooks, never proven). Not: 4 hooks in Claude Code (it does not call Tenterhook for SessionStart, PostToolUse, Stop, Notification).",
    );
    await project.run(["install", "--sync"]);
    expect(await sentenceOf(project)).toBe("Guarded: Claude Code (all 5 hooks, never proven).");
  });

  it("names a hook whose script is gone, and what that does", async () => {
    const project = await guarded();
    await project.configure([GUARD, command("format", "PostToolUse"), command("check", "PreToolUse")]);
    await project.run(["install", "--sync"]);
    expect(await sentenceOf(project)).toBe("Guarded: Claude Code (all 3 hooks, never proven).");
    rmSync(join(project.cwd, ".tenterhook/run.sh"));
    expect(await sentenceOf(project)).toBe(
      "Guarded: Claude Code (1 of 3 hooks, never proven). Refused: 2 hooks (their scripts are gone, so calls that 1 of them judges are refused).",
    );
  });

  it("is no more once nothing calls us", async () => {
    const project = await guarded();
    await project.run(["uninstall", "--all"]);
    expect(await sentenceOf(project)).toBe("Not guarded: Claude Code (not installed).");
  });

  it("says that calls are refused while hooks are not trusted, where an agent asks", async () => {
    const project = machineWith({ claude: VERSION });
    project.write(".tenterhook/hooks.yaml", JSON.stringify({ hooks: { definitions: [GUARD] } }));
    expect(await sentenceOf(project)).toBe(
      "Not guarded: 1 hook (not trusted yet), Claude Code (not installed).",
    );
    await project.run(["install", "claude"]);
    expect(await sentenceOf(project)).toBe(
      "Refused: 1 hook (not trusted yet, so calls that it judges are refused).",
    );
  });

  it("notices that our program is gone", async () => {
    const project = await guarded();
    rmSync(join(project.folder, "bin/tenterhook"));
    expect(await sentenceOf(project)).toBe("Not guarded: Claude Code (it does not find tenterhook).");
  });

  it("says of files that can't be used what is in force instead", async () => {
    const project = await guarded();
    await project.hook({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } });
    const file = join(project.cwd, ".tenterhook/hooks.yaml");
    for (const [text, place] of [
      ["", "hooks.yaml"],
      ["hooks: [", "hooks.yaml:1"],
    ] as const) {
      writeFileSync(file, text);
      expect(await sentenceOf(project)).toBe(
        `Guarded: Claude Code (1 hook, never proven). Not: .tenterhook/${place} (can't be read; what it last said is in force).`,
      );
    }
    const other = machineWith({ claude: VERSION });
    other.write(".tenterhook/hooks.yaml", "hooks: [");
    await other.configure([GUARD]);
    await other.run(["install", "claude"]);
    other.write(".tenterhook/hooks.yaml", "hooks: [");
    expect(await sentenceOf(other)).toContain("Refused: every call (.tenterhook/hooks.yaml:1 can't be read");
  });

  it("says so of an agent that starts no hook in a folder which it does not trust", async () => {
    const closed =
      "Not guarded: Gemini CLI (it starts no hook here until you start it once and trust the folder).";
    const open = "Guarded: Gemini CLI (1 hook, never proven).";
    const project = machineWith({ gemini: "0.61.0" });
    await project.configure([GUARD], {}, UNWATCHED);
    await project.run(["install", "gemini"]);
    expect(await sentenceOf(project)).toBe(closed);
    const trusts = (record: object) =>
      project.write("../home/.gemini/trustedFolders.json", JSON.stringify(record));
    trusts({ [project.folder]: "TRUST_FOLDER" });
    expect(await sentenceOf(project)).toBe(open);
    trusts({ [project.folder]: "TRUST_FOLDER", [project.cwd]: "DO_NOT_TRUST" });
    expect(await sentenceOf(project)).toBe(closed);
    trusts({ [join(project.cwd, "below")]: "TRUST_PARENT" });
    expect(await sentenceOf(project)).toBe(open);
    trusts({});
    const asks = (file: string, enabled: boolean) =>
      project.write(file, JSON.stringify({ security: { folderTrust: { enabled } } }));
    asks("../home/.gemini/settings.json", false);
    expect(await sentenceOf(project)).toBe(open);
    // The system's settings come before the user's, and its defaults after them.
    project.environment.GEMINI_CLI_SYSTEM_SETTINGS_PATH = asks("../system/settings.json", true);
    expect(await sentenceOf(project)).toBe(closed);
    asks("../home/.gemini/settings.json", true);
    asks("../system/settings.json", false);
    expect(await sentenceOf(project)).toBe(open);
    project.write("../system/settings.json", "{}");
    asks("../system/system-defaults.json", false);
    expect(await sentenceOf(project)).toBe(closed);
    project.write("../home/.gemini/settings.json", "{}");
    expect(await sentenceOf(project)).toBe(open);
  });

  it("says once that calls are refused, and each agent once", async () => {
    const project = await guarded();
    const written = [GUARD, command("format", "PostToolUse"), command("check", "PreToolUse")];
    await project.configure(written);
    await project.run(["install", "--sync"]);
    project.write(".tenterhook/run.sh", "#!/bin/sh\necho\n");
    expect(await sentenceOf(project)).toBe(
      "Guarded: Claude Code (1 of 3 hooks, never proven). Refused: 2 hooks (not trusted yet, so calls that 1 of them judges are refused).",
    );
    project.write(
      ".tenterhook/hooks.yaml",
      stringify({ hooks: { definitions: [...written, { ...GUARD, name: "more" }] } }),
    );
    expect(await sentenceOf(project)).toBe(
      "Refused: every call (.tenterhook/hooks.yaml changed since you trusted it).",
    );
  });

  it("is about the agent's own switches, trust and settings too", async () => {
    const project = await guarded();
    project.write(".claude/settings.local.json", JSON.stringify({ disableAllHooks: true }));
    expect(await sentenceOf(project)).toBe(
      "Not guarded: Claude Code (it runs no hook, since disableAllHooks is true there: .claude/settings.local.json).",
    );
    rmSync(join(project.cwd, ".claude/settings.local.json"));
    project.write("below/a.txt", "");
    expect(await sentenceOf(project, join(project.cwd, "below"))).toContain(
      "it reads these settings only where they are",
    );
  });
});

describe("what decides without being a hook that does", () => {
  it("a hook all of whose rules are in shadow mode only records", async () => {
    const project = machineWith({ claude: VERSION });
    const shadow = { ...GUARD, rules: 'tool equals "X" -> shadow deny("No.")' };
    await project.configure([shadow], {}, UNWATCHED);
    await project.run(["install", "claude"]);
    expect(await sentenceOf(project)).toBe("Not guarded: all hooks here are off or only record.");
    expect((await project.run(["list"])).stdout).toContain("shadow");
    await project.configure([{ ...GUARD, rules: `${shadow.rules}\n${GUARD.rules}` }], {}, UNWATCHED);
    expect(await sentenceOf(project)).toBe("Guarded: Claude Code (1 hook, never proven).");
  });

  it("permissions guard without any hook", async () => {
    const project = machineWith({ claude: VERSION });
    await project.configure([], {}, { ...UNWATCHED, permissions: { deny: ["Bash(rm:*)"] } });
    expect(await sentenceOf(project)).toBe("Not guarded: Claude Code (not installed).");
    await project.run(["install", "claude"]);
    expect(await sentenceOf(project)).toBe("Guarded: Claude Code (permissions, never proven).");
    const list = (await project.run(["list"])).stdout;
    expect(list).toContain("No hooks here. The permissions decide.");
    expect(list).toContain("Guarded: Claude Code (permissions, never proven).");
    expect((await project.run([])).stdout).toMatch(/● +permissions +no other hooks decide/);
  });

  it.each([
    ["that only allow guard nothing", [], { allow: ["Bash(*)"] }, /^Not(hing| guarded)/],
    [
      "guard beside a hook that only records",
      [{ ...GUARD, mode: "shadow" }],
      { deny: ["Bash(rm:*)"] },
      /^Guarded: Claude Code \(permissions, never proven\)/,
    ],
  ])("permissions %s", async (_, hooks, permissions, sentence) => {
    const project = machineWith({ claude: VERSION });
    await project.configure(hooks, {}, { ...UNWATCHED, permissions });
    await project.run(["install", "claude"]);
    expect(await sentenceOf(project)).toMatch(sentence);
  });

  it("an entry that only watched calls us for a guard, too; check has it written as one", async () => {
    const project = machineWith({ claude: VERSION });
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    const prompts = {
      ...GUARD,
      name: "prompts",
      matcher: { events: ["UserPromptSubmit"] },
      rules: PROMPT_RULE,
    };
    await project.configure([GUARD, prompts]);
    expect(await sentenceOf(project)).toBe("Guarded: Claude Code (all 2 hooks, never proven).");
    expect((await project.run(["check"])).stdout).toMatch(/UserPromptSubmit was changed: .*install --sync/s);
  });
});
