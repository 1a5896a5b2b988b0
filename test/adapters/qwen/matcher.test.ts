import { describe, expect, it } from "vitest";
import { importMatcher } from "../../../src/adapters/qwen/import.ts";

const tools = (matcher: string): unknown => importMatcher("PreToolUse", matcher, () => undefined);

describe("a matcher of Qwen Code that is imported", () => {
  it.each([
    ["Bash", ["Bash", "/Bash/"]],
    ["file", ["file", "/file/"]],
    ["Write | edit", ["Write", "edit", "/Write|edit/"]],
    [
      "WriteFileTool|TodoList",
      ["WriteFileTool", "write_file", "TodoList", "todo_write", "/WriteFileTool|TodoList/"],
    ],
    ["CronCreate", ["CronCreate", "cron_create", "/CronCreate/"]],
    ["^write", ["/^write/"]],
    ["mcp__.*|Bash", ["Bash", "/mcp__.*|Bash/"]],
  ])("%s names tools, and is a regular expression for any part of a name", (matcher, expected) => {
    expect(tools(matcher)).toEqual({ tools: expected });
  });

  it.each(["", "*", ".*", "Bash|*"])("%s stays one for everything", (matcher) => {
    expect(tools(matcher)).toEqual({});
  });

  it("of subagents fits any part of their type, as there", () => {
    expect(importMatcher("SubagentStop", "general", () => undefined)).toEqual({
      agents: ["general", "/general/"],
    });
  });
});
