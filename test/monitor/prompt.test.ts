import { describe, expect, it } from "vitest";
import { promptOf } from "../../src/monitor/report/prompt.ts";

describe("what an event asks of a human", () => {
  it.each([
    [{ hook_event_name: "PreToolUse", tool_name: "ExitPlanMode", tool_input: { plan: "1." } }, "1."],
    [{ hook_event_name: "PreToolUse", tool_name: "exit_plan_mode", tool_input: { plan: "1." } }, "1."],
    [{ hook_event_name: "PreToolUse", tool_name: "EnterPlanMode", tool_input: {} }, undefined],
    [{ hook_event_name: "PermissionRequest", tool_name: "ExitPlanMode", tool_input: { plan: "1." } }, "1."],
  ])("%j is the approval of a plan", (event, question) => {
    expect(promptOf(event)).toEqual({ prompt_type: "plan_approval", ...(question && { question }) });
  });

  it.each(["AskUserQuestion", "request_user_input", "ask_user"])(
    "a call of %s is a question",
    (tool_name) => {
      const questions = [{ question: "Which?" }];
      expect(promptOf({ hook_event_name: "PreToolUse", tool_name, tool_input: { questions } })).toEqual({
        prompt_type: "question",
        question: questions,
      });
    },
  );

  it("a request for a permission is one, with what is to be permitted", () => {
    const call = { tool_name: "Bash", tool_input: { command: "ls" } };
    expect(promptOf({ hook_event_name: "PermissionRequest", ...call })).toEqual({
      prompt_type: "permission",
      question: call,
    });
  });

  it.each([
    ["permission_prompt", "permission"],
    ["idle_prompt", "idle"],
  ])("a notification %s is %s", (notification_type, prompt_type) => {
    expect(promptOf({ hook_event_name: "Notification", notification_type, message: "Look." })).toEqual({
      prompt_type,
      question: "Look.",
    });
  });

  it.each([
    { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} },
    { hook_event_name: "PreToolUse", tool_name: 7 },
    { hook_event_name: "PreToolUse" },
    { hook_event_name: "PostToolUse", tool_name: "AskUserQuestion", tool_input: {} },
    { hook_event_name: "Notification", notification_type: "auth_success", message: "In." },
    { hook_event_name: "toString" },
  ])("%j asks nothing", (event) => {
    expect(promptOf(event)).toBeUndefined();
  });
});
