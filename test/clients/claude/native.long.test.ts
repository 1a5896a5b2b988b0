import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { installHooks, runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const bash = (command: string) => ["Bash", { command, description: "Work" }] as const;

const EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];

/** Adds hooks of the project's own to the settings of Claude Code. */
function addNative(project: Project, commandOf: (event: string) => string): void {
  const file = join(project.cwd, ".claude/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  for (const event of EVENTS)
    settings.hooks[event].push({ hooks: [{ type: "command", command: commandOf(event) }] });
  project.write(".claude/settings.json", JSON.stringify(settings));
}

/** A line that stores all that a hook can know: its stdin, its shell and folder, and its variables. */
function recording({ folder }: Project, name: string): string {
  const file = `${folder}/${name}`;
  return `cat > ${file}.stdin; echo "$0 \${BASH_VERSION:-}" > ${file}.place; pwd >> ${file}.place; env > ${file}.env`;
}

/** What a hook stored. Variables that we withhold or add, and a file of its own for each hook, are left out. */
function recorded({ folder }: Project, name: string) {
  const [stdin, place, variables] = ["stdin", "place", "env"].map((part) =>
    readFileSync(join(folder, `${name}.${part}`), "utf8"),
  );
  const others = /^(TENTERHOOK_\w+|ANTHROPIC_\w+|CLAUDE_CODE_MESSAGING_TOKEN|CLAUDE_ENV_FILE|_)=/;
  const environment = (variables ?? "").split("\n").filter((line) => !others.test(line));
  return { stdin, place, environment: environment.sort() };
}

describe("a hook with payload: native", () => {
  it("knows what a hook of Claude Code itself knows, byte for byte", async () => {
    const project = clientProject();
    mkdirSync(join(project.cwd, "sub"));
    await installHooks(
      project,
      EVENTS.map((event) => ({
        name: event,
        type: "command",
        command: recording(project, `ours-${event}`),
        payload: "native",
        matcher: { events: [event] },
      })),
    );
    addNative(project, (event) => recording(project, `native-${event}`));
    await runClaude({ project, script: [[bash("cd sub")], [bash("true")]] });
    for (const event of EVENTS)
      expect(recorded(project, `ours-${event}`)).toEqual(recorded(project, `native-${event}`));
    expect(recorded(project, "ours-PreToolUse").place).toContain("/project/sub\n");
  }, 120_000);

  it("runs where a hook of Claude Code itself runs after its folder was deleted", async () => {
    const project = clientProject();
    const noting = (name: string) => `pwd >> ${project.folder}/${name}; cat >/dev/null`;
    await installHooks(
      project,
      EVENTS.map((event) => ({
        name: event,
        type: "command",
        command: noting("ours"),
        payload: "native",
        matcher: { events: [event] },
      })),
    );
    addNative(project, () => noting("native"));
    const remove = `python3 -c 'import os; os.rmdir("../gone")'`;
    const script = [
      [bash("mkdir gone && cd gone")],
      [bash(remove)],
      [bash("touch here")],
      [bash("touch there")],
    ];
    await runClaude({ project, script });
    const folders = (name: string) => readFileSync(join(project.folder, name), "utf8");
    expect(folders("ours")).toBe(folders("native"));
    expect(readdirSync(project.cwd)).toContain("there");
  }, 120_000);

  it("sets variables of the session through the file that Claude Code names", async () => {
    const project = clientProject();
    await installHooks(project, [
      {
        name: "env",
        type: "command",
        command: `echo "export FROM_HOOK=yes" >> "$CLAUDE_ENV_FILE"`,
        payload: "native",
        matcher: { events: ["SessionStart"] },
      },
    ]);
    await runClaude({ project, script: [[bash('echo "$FROM_HOOK" > said')]] });
    expect(readFileSync(join(project.cwd, "said"), "utf8")).toBe("yes\n");
  }, 120_000);
});
