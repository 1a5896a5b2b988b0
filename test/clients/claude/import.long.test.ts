import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { trustProject } from "../../support/trust-project.ts";
import { installHooks, runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const bash = (command: string) => [["Bash", { command, description: "Run it" }]] as const;

/** Takes the hooks of Claude Code's settings over, and removes them there. */
async function takeOver(project: Project): Promise<void> {
  for (const args of [
    ["import", "claude", "--remove", "--yes"],
    ["install", "claude"],
  ]) {
    const { code, stderr } = await project.run(args);
    if (code !== 0) throw new Error(stderr);
    await trustProject(project.cwd, project.environment);
  }
}

describe("hooks of Claude Code that were imported", () => {
  it("guard the calls they guarded, with the same words and the same payload, and no others", async () => {
    const project = clientProject();
    const guard = { type: "command", if: "Bash(touch:*)", command: '"$CLAUDE_PROJECT_DIR"/guard.sh' };
    project.write(
      "guard.sh",
      '#!/bin/sh\njq -cS "del(.session_id,.transcript_path,.prompt_id,.tool_use_id)" >> log\necho "Not that." >&2\nexit 2\n',
    );
    project.write(".claude/settings.json", JSON.stringify({ hooks: { PreToolUse: [{ hooks: [guard] }] } }));
    const run = async () => {
      const script = [bash("true && touch made"), bash("echo fine > other")];
      const { requests } = await runClaude({ project, script });
      const refused = JSON.stringify(requests[1]?.body.messages).includes("Not that.");
      const files = ["made", "other"].map((name) => existsSync(join(project.cwd, name)));
      const log = readFileSync(join(project.cwd, "log"), "utf8");
      for (const name of ["made", "other", "log"]) rmSync(join(project.cwd, name), { force: true });
      return { refused, files, log };
    };
    const before = await run();
    expect(before).toMatchObject({ refused: true, files: [false, true] });
    await takeOver(project);
    expect(readFileSync(join(project.cwd, ".claude/settings.json"), "utf8")).not.toContain("guard.sh");
    expect(await run()).toEqual(before);
  });
});

describe("a tool that no hook wants", () => {
  it("has Claude Code call nobody", async () => {
    const project = clientProject();
    project.write("notes.md", "x\n");
    const rules = 'command contains "never" -> deny("No.")';
    const matcher = { events: ["PreToolUse"], tools: ["Bash"] };
    await installHooks(project, [{ name: "shell", type: "inline", matcher, rules }]);
    await runClaude({
      project,
      script: [[["Read", { file_path: join(project.cwd, "notes.md") }]], bash("true")],
    });
    expect(project.journal().map(({ event }) => Object(event).tool_name)).toEqual(["Bash"]);
  });
});
