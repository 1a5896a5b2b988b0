import { describe, expect, it } from "vitest";
import { reply } from "./reply.ts";

describe("an ask in the mode bypassPermissions", () => {
  const asked = (tool_name: string, tool_input: object, permission_mode = "bypassPermissions") => {
    const fields = { tool_name, tool_input, permission_mode };
    const { output, losses } = reply("PreToolUse", { action: "ask", reason: "Sure?" }, {}, fields);
    return [JSON.stringify(output).match(/permissionDecision":"(\w+)/)?.[1], losses.length];
  };

  it.each<[string, object]>([
    ["Bash", { command: "echo {} > .claude/settings.json" }],
    ["Bash", { command: 'd=claude; echo > ".$d/x"' }],
    ["Bash", { command: "echo {} > .''claude/settings.json" }],
    ["Bash", { command: 'echo {} > "."claude/settings.json' }],
    ["Bash", { command: "echo {} > .\\claude/settings.json" }],
    ["Write", { file_path: "/home/u/.bashrc", content: "" }],
  ])("is a refusal where Claude Code would ignore it: %s %j", (tool, input) => {
    expect(asked(tool, input)).toEqual(["deny", 1]);
    expect(asked(tool, input, "default")).toEqual(["ask", 0]);
  });

  it.each([
    ["/p/.claude/hooks", "deny"],
    ["/p/.claude/worktrees/x", "ask"],
    ["/home/u/.cache/p", "ask"],
  ])("depends on the folder where names of files are short: %s", (cwd, answer) => {
    const call = { tool_name: "Bash", tool_input: { command: "rm guard.sh" }, cwd };
    const fields = { ...call, permission_mode: "bypassPermissions" };
    const { output } = reply("PreToolUse", { action: "ask", reason: "Sure?" }, {}, fields);
    expect(JSON.stringify(output)).toContain(`"permissionDecision":"${answer}"`);
  });

  it.each([
    "git push",
    "git add .\ngit push",
    "git add '.' && git push",
    "cd .. && ls ./src",
    "node a.mjs --n=.5",
    "rm -rf build",
  ])("stays an ask: %s", (command) => {
    expect(asked("Bash", { command })).toEqual(["ask", 0]);
  });
});
