import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installHooks, runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const MATCHER = { events: ["PreToolUse"], tools: ["Bash"] };
const touch = (name: string) => [["Bash", { command: `touch ${name}`, description: "Make a file" }]] as const;

describe("a call of Claude Code", () => {
  it("is refused by a rule: the tool does not run, and the model reads why", async () => {
    const project = clientProject();
    const rules = 'command contains "touch made" -> deny("Nothing is made here.")';
    await installHooks(project, [{ name: "none", type: "inline", matcher: MATCHER, rules }]);
    const { code, lastSent } = await runClaude({ project, script: [touch("made")] });
    expect([code, existsSync(join(project.cwd, "made"))]).toEqual([0, false]);
    expect(lastSent).toContain("Nothing is made here.");
  });

  it("is refused by a program that ends with 2", async () => {
    const project = clientProject();
    project.write("guard.sh", "#!/bin/sh\necho 'The guard says no.' >&2\nexit 2\n");
    await installHooks(project, [{ name: "guard", type: "command", script: "guard.sh", matcher: MATCHER }]);
    const { lastSent } = await runClaude({ project, script: [touch("made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(lastSent).toContain("The guard says no.");
  });

  it("is rewritten by two hooks, and both changes are kept", async () => {
    const project = clientProject();
    const set = (value: string) => `tool equals "Bash" -> set(args.command, "${value}")`;
    await installHooks(project, [
      { name: "first", type: "inline", matcher: MATCHER, priority: 1, rules: set("{{args.command}} first") },
      {
        name: "second",
        type: "inline",
        matcher: MATCHER,
        priority: 2,
        rules: set("{{args.command}} second"),
      },
    ]);
    await runClaude({ project, script: [touch("made")] });
    expect(["made", "first", "second"].map((name) => existsSync(join(project.cwd, name)))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("goes on with context in the next request", async () => {
    const project = clientProject();
    const rules = 'tool equals "Bash" -> context("Files are counted here.")';
    await installHooks(project, [{ name: "told", type: "inline", matcher: MATCHER, rules }]);
    const { lastSent, requests } = await runClaude({ project, script: [touch("made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(true);
    expect([requests.length, lastSent.includes("Files are counted here.")]).toEqual([2, true]);
  });

  it("has its result refused afterwards", async () => {
    const project = clientProject();
    const rules = 'tool equals "Bash" -> deny("Look at the result again.")';
    const matcher = { ...MATCHER, events: ["PostToolUse"] };
    await installHooks(project, [{ name: "after", type: "inline", matcher, rules }]);
    const { lastSent } = await runClaude({ project, script: [touch("made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(true);
    expect(lastSent).toContain("Look at the result again.");
  });

  it("is refused in a subagent too", async () => {
    const project = clientProject();
    const rules = 'command contains "touch made" -> deny("Not even below.")';
    await installHooks(project, [{ name: "none", type: "inline", matcher: MATCHER, rules }]);
    const task = { description: "Make it", prompt: "SUBTASK: make it", subagent_type: "general-purpose" };
    const { requests } = await runClaude({
      project,
      script: [[["Agent", task]]],
      subagent: { word: "SUBTASK", script: [touch("made")] },
    });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(JSON.stringify(requests.map(({ body }) => body.messages))).toContain("Not even below.");
  });

  it("is refused in a subfolder when we are installed for the user", async () => {
    const project = clientProject();
    const rules = 'command contains "touch made" -> deny("Here neither.")';
    await installHooks(project, [{ name: "none", type: "inline", matcher: MATCHER, rules }], {
      scope: "user",
    });
    project.write("below/readme.md", "");
    const cwd = join(project.cwd, "below");
    const { lastSent } = await runClaude({ project, cwd, script: [touch("made")] });
    expect(existsSync(join(cwd, "made"))).toBe(false);
    expect(lastSent).toContain("Here neither.");
  });

  it("is granted by a hook when a human would be asked", async () => {
    const project = clientProject();
    const matcher = { events: ["PermissionRequest"], tools: ["Bash"] };
    const rules = 'command contains "granted" -> allow("It may.")';
    await installHooks(project, [{ name: "grant", type: "inline", matcher, rules }]);
    await runClaude({ project, mode: "default", script: [touch("granted"), touch("other")] });
    expect(["granted", "other"].map((name) => existsSync(join(project.cwd, name)))).toEqual([true, false]);
  });

  it("is written down with what was decided", async () => {
    const project = clientProject();
    const rules = 'command contains "touch made" -> deny("No.")';
    await installHooks(project, [{ name: "none", type: "inline", matcher: MATCHER, rules }]);
    await runClaude({ project, script: [touch("made")] });
    expect(project.journal()).toMatchObject([
      {
        event: { hook_event_name: "PreToolUse", host: "claude", tool_name: "Bash" },
        decision: { action: "deny" },
      },
    ]);
  });
});
