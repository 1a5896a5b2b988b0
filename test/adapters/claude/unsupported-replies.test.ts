import { describe, expect, it } from "vitest";
import { reply } from "./reply.ts";

describe("what Claude Code does not support", () => {
  it("a rewritten prompt is refused, since the old one would go through", () => {
    const { output, losses } = reply("UserPromptSubmit", { prompt: "another" });
    expect(losses).toMatchObject([{ effect: "rewrite", became: "deny" }]);
    expect(output).toMatchObject({
      decision: "block",
      reason: "Claude Code does not support rewrite on UserPromptSubmit. It is refused instead.",
    });
  });

  it("a rewritten prompt goes on as it was where the configuration says observe, and the user is notified", () => {
    const { output, losses } = reply("UserPromptSubmit", { prompt: "another" }, { rewrite: "observe" });
    expect(losses).toMatchObject([{ effect: "rewrite", became: "observe" }]);
    expect(output).toEqual({
      systemMessage: "Claude Code does not support rewrite on UserPromptSubmit. It continues without it.",
    });
  });

  it("a subagent that is refused starts anyway, and the user is notified", () => {
    const { output, losses } = reply("SubagentStart", { action: "deny", reason: "No children." });
    expect(losses).toMatchObject([{ effect: "deny", became: "observe" }]);
    expect(output).toEqual({
      systemMessage:
        "No children.\nClaude Code does not support deny on SubagentStart. It continues anyway: nothing can stop it there.",
    });
  });

  it.each(["SessionStart", "PostToolUseFailure", "SubagentStop", "Notification"])(
    "the end of the run on %s, and the user is notified",
    (event) => {
      const { output, losses } = reply(event, { abort: { reason: "Enough." } });
      expect(losses).toMatchObject([{ effect: "abort", became: "observe" }]);
      expect(output).toEqual({
        systemMessage: `Enough.\nClaude Code does not support abort on ${event}. The run continues.`,
      });
    },
  );

  it("another result in a shape that is not the tool's: the run ends before the model reads the old one", () => {
    const tool_response = { filenames: ["secret"], numFiles: 1 };
    const { output, losses } = reply("PostToolUse", { output: "nothing" }, {}, { tool_response });
    const message =
      "Claude Code takes a rewrite of a result only in the shape that the tool gave it. The run ends instead.";
    expect(losses).toEqual([{ effect: "rewrite", became: "deny", message }]);
    expect(output).toEqual({
      decision: "block",
      reason: message,
      continue: false,
      stopReason: message,
      systemMessage: message,
    });
  });

  it("another result in a shape that is not the tool's, where the configuration says observe", () => {
    const { output, losses } = reply("PostToolUse", { output: 7 }, { rewrite: "observe" });
    expect(losses).toMatchObject([{ effect: "rewrite", became: "observe" }]);
    expect(output).toEqual({ systemMessage: expect.stringContaining("It continues without it.") });
  });

  it("the end of the run on an event it did not have yet: it is refused by exit code 2", () => {
    expect(reply("PreFoo", { action: "deny", reason: "No.", abort: {} })).toMatchObject({
      output: "",
      exit_code: 2,
      stderr: expect.stringContaining("No."),
    });
  });

  it("another input of a permission that nobody granted is refused", () => {
    expect(reply("PermissionRequest", { input: { command: "ls" } }).output).toMatchObject({
      hookSpecificOutput: { decision: { behavior: "deny" } },
    });
  });
});
