import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installHooks, runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const GUARD = {
  name: "guard",
  type: "module",
  module: "guard.mjs",
  timeout: 10,
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
};
const ENDED = "It ended before it answered";
const bash = (command: string) => [["Bash", { command, description: "Run it" }]] as const;

describe("the code of a hook that Claude Code's call is asked about", () => {
  it.each([
    [
      "writes to stdout before it refuses",
      'console.log("checking"); throw new Error("Not here.");',
      "Not here.",
    ],
    [
      "throws when nobody listens",
      'setTimeout(() => { throw new Error("late"); }); await new Promise((go) => setTimeout(go, 60_000));',
      "late",
    ],
    ["blocks its process for ever", "for (;;);", "No answer within 10 s."],
    ["ends its process", "process.exit(0);", ENDED],
    ["ends its process without its exit event", "process.reallyExit(0);", ENDED],
    ["kills its process", 'process.kill(process.pid, "SIGKILL");', ENDED],
    ["aborts its process", "process.abort();", ENDED],
  ])("does not open the gate when it %s", async (_, body, reason) => {
    const project = clientProject();
    project.write("guard.mjs", `export default async () => { ${body} };\n`);
    await installHooks(project, [GUARD]);
    const { lastSent } = await runClaude({ project, script: [bash("touch made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(lastSent).toContain(reason);
  });
});

describe("a model of Claude Code that changes into a repository inside the project", () => {
  it("does not leave the project's policy", async () => {
    const project = clientProject();
    const rules = 'command contains "touch" -> deny("Nothing is made here.")';
    const matcher = { events: ["PreToolUse"], tools: ["Bash"] };
    await installHooks(project, [{ name: "none", type: "inline", matcher, rules }]);
    const { lastSent } = await runClaude({
      project,
      script: [bash("mkdir -p inner/.git && cd inner && pwd"), bash("pwd; touch made")],
    });
    expect(existsSync(join(project.cwd, "inner/made"))).toBe(false);
    expect(lastSent).toContain("Nothing is made here.");
  });
});
