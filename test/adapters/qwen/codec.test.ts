import { describe, expect, it } from "vitest";
import { qwen } from "../../../src/adapters/qwen/qwen.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { qwenUnderstands } from "./understands.ts";

const { recorded, replyTo } = adapterSuite({
  adapter: qwen,
  understands: qwenUnderstands,
  unstoppable: ["SubagentStart", "PreCompact"],
});

describe("the reply to a call", () => {
  const call = recorded("PreToolUse.run_shell_command");

  it("refuses it so that no other hook can allow it", async () => {
    expect(JSON.parse((await replyTo(call, { type: "deny", reason: "Not here." })).stdout)).toEqual({
      continue: false,
      stopReason: "Not here.",
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Not here.",
      },
    });
  });

  it("refuses it when the input is rewritten, which Qwen Code ignores", async () => {
    const { stdout, losses } = await replyTo(call, { type: "rewrite", next: { command: "ls" } });
    expect(losses).toMatchObject([{ effect: "rewrite", became: "deny" }]);
    expect(JSON.parse(stdout)).toMatchObject({ continue: false });
  });
});

describe("the reply to a request for permission", () => {
  it("allows another input", async () => {
    const payload = recorded("PermissionRequest");
    const next = { command: "ls" };
    const { stdout } = await replyTo(payload, { type: "allow" }, { type: "rewrite", next });
    expect(JSON.parse(stdout).hookSpecificOutput.decision).toEqual({
      behavior: "allow",
      updatedInput: next,
    });
  });
});

describe("an event", () => {
  it("is a prompt only when the user sent one, not when results of tools are sent", () => {
    const prompt = recorded("UserPromptSubmit");
    const results = { ...prompt, prompt: "", submitted_prompt: undefined };
    const again = { ...results, prompt: "From a later version." };
    const names = [prompt, results, again].map((payload) => qwen.decode(payload).hook_event_name);
    expect(names).toEqual(["UserPromptSubmit", "qwen:ToolResultsSubmit", "UserPromptSubmit"]);
  });

  it("about an error that is no text is one of an unknown error", () => {
    const payload = { ...recorded("Stop"), hook_event_name: "StopFailure", error: { toString: null } };
    expect(qwen.decode(payload)).toMatchObject({ error_type: "unknown", error_message: "unknown" });
  });
});
