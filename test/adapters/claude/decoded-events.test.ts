import { describe, expect, it } from "vitest";
import { claude } from "../../../src/adapters/claude/claude.ts";

describe("an event of Claude Code", () => {
  it("that only it has carries its name", () => {
    const event = claude.decode({
      hook_event_name: "ConfigChange",
      session_id: "s1",
      cwd: "/p",
      source: "user",
    });
    expect(event).toMatchObject({ hook_event_name: "claude:ConfigChange", source: "user", host: "claude" });
  });

  it("of a subagent names its parent and its turn", () => {
    const event = claude.decode({
      hook_event_name: "PreToolUse",
      session_id: "s1",
      cwd: "/p",
      agent_id: "a1",
      agent_type: "explore",
      prompt_id: "t1",
      tool_name: "Bash",
      tool_input: {},
    });
    expect(event).toMatchObject({
      agent_id: "a1",
      parent_agent_id: "s1",
      turn_id: "t1",
      agent_type: "explore",
    });
  });
});
