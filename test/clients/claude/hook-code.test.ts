import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installHooks, runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const GUARD = {
  name: "guard",
  type: "module",
  module: "guard.mjs",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
};
const bash = (command: string) => [["Bash", { command, description: "Run it" }]] as const;

describe("the code of a hook that Claude Code's call is asked about", () => {
  it.each([
    [
      "writes to stdout before it refuses",
      'console.log("checking"); throw new Error("Not here.");',
      "Not here.",
    ],
    ["ends the process", "process.exit(0);", "ended tenterhook"],
    [
      "throws when nobody listens",
      'setTimeout(() => { throw new Error("late"); }); await new Promise((go) => setTimeout(go, 60_000));',
      "late",
    ],
  ])("does not open the gate when it %s", async (_, body, reason) => {
    const project = clientProject();
    project.write("guard.mjs", `export default async () => { ${body} };\n`);
    await installHooks(project, [GUARD]);
    const { lastSent } = await runClaude({ project, script: [bash("touch made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(lastSent).toContain(reason);
  });
});

describe("the code of a hook that keeps tenterhook from answering Claude Code", () => {
  it.each([
    ["blocks the process for ever", "for (;;);"],
    ["kills the process", 'process.kill(process.pid, "SIGKILL");'],
    ["aborts the process", "process.abort();"],
    ["ends the process without its exit event", "process.reallyExit(0);"],
  ])("does not open the gate when it %s", async (_, body) => {
    const project = clientProject();
    project.write("guard.mjs", `export default () => { ${body} };\n`);
    await installHooks(project, [{ ...GUARD, timeout: 1 }]);
    const { lastSent } = await runClaude({ project, script: [bash("touch made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(lastSent).toMatch(/Code of a hook may have blocked or killed it: guard|ended tenterhook/);
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
