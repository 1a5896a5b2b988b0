import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";
import { runCli } from "./support/run-cli.ts";

it("an agent started in a subfolder gets the project's settings, as JSON that Claude Code reads", async () => {
  const { cwd, environment, write } = newProject();
  const before = '{\n  // ours\n  "model": "opus",\n}\n';
  const file = write(".claude/settings.json", before);
  const folder = join(cwd, "packages/one");
  mkdirSync(folder, { recursive: true });
  const { stdout } = await runCli(folder, environment, "agent", "settings", "w1");
  const command = (name: string) => [{ type: "command", command: `tenterhook agent hook ${name} w1` }];
  expect(JSON.parse(readFileSync(stdout.trim(), "utf8"))).toEqual({
    model: "opus",
    hooks: {
      PreToolUse: [{ matcher: "ExitPlanMode|AskUserQuestion|EnterPlanMode", hooks: command("pretooluse") }],
      Stop: [{ hooks: command("stop") }],
      Notification: [{ hooks: command("notify") }],
    },
  });
  expect(readFileSync(file, "utf8")).toBe(before);
});

it("settings of which Claude Code would apply nothing are refused: the agent would not be watched", async () => {
  const { cwd, environment, write } = newProject();
  write(".claude/settings.json", '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}');
  const { code, stdout, stderr } = await runCli(cwd, environment, "agent", "settings", "w1");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(
    "line 1 has one: hooks.PreToolUse.0.hooks.0.command must be a string: the agent would not be watched.",
  );
});

it("a state folder that can't be written is told as such, by the commands that keep something there", async () => {
  const { cwd, environment, write, configure } = newProject();
  await configure([{ name: "a", type: "command", command: "true", matcher: { events: ["Stop"] } }]);
  const before = "{}";
  const file = write(".claude/settings.json", before);
  const state = { ...environment, XDG_STATE_HOME: write("no-folder", "") };
  for (const words of [
    ["agent", "settings", "w1"],
    ["install", "claude"],
  ]) {
    const { code, stderr } = await runCli(cwd, state, ...words);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^.*no-folder/)]);
  }
  expect(readFileSync(file, "utf8")).toBe(before);
});
