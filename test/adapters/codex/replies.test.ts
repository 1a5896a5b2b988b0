import { expect, it } from "vitest";
import { codex } from "../../../src/adapters/codex/codex.ts";
import { decisionOf } from "../support/decision.ts";

const AFTER = {
  hook_event_name: "PostToolUse",
  native: { hook_event_name: "PostToolUse", tool_name: "Bash", tool_response: "the secret" },
} as const;

it("a result that a hook makes empty does not reach the model", () => {
  const { stdout } = codex.encode(decisionOf({ output: "" }), AFTER);
  expect(JSON.parse(stdout)).toEqual({ decision: "block", reason: "The result is empty." });
});

it("a hook that ends the run after a call withholds its result, since Codex goes on", () => {
  const { stdout, losses } = codex.encode(decisionOf({ abort: { reason: "Enough." } }), AFTER);
  const message = "Codex does not support abort on PostToolUse. It is refused instead.";
  expect(losses).toEqual([{ effect: "abort", became: "deny", message }]);
  expect(JSON.parse(stdout)).toEqual({
    decision: "block",
    reason: `Enough.\n${message}`,
    systemMessage: message,
  });
});
