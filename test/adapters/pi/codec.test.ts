import { join } from "node:path";
import { expect, it } from "vitest";
import { pi } from "../../../src/adapters/pi/pi.ts";
import { pluginUnderstands } from "../plugins/understands.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { decisionOf } from "../support/decision.ts";

adapterSuite({
  adapter: pi,
  fixtures: join(import.meta.dirname, "../../fixtures/pi"),
  understands: pluginUnderstands({
    session_start: { context: "context" },
    session_shutdown: {},
    input: { deny: "deny", prompt: "rewrite", context: "context" },
    tool_call: { ask: "ask", deny: "deny", input: "rewrite", context: "context", end: "abort" },
    tool_result: { deny: "deny", output: "rewrite", context: "context", end: "abort" },
    "tool_result.error": { output: "rewrite", context: "context" },
    session_before_compact: { deny: "deny" },
    turn_end: { keep_going: "keep_going" },
  }),
  unstoppable: [],
});

it("asks the user where pi has a terminal, and refuses where it has none", () => {
  const asks = decisionOf({ action: "ask", reason: "Is that meant?" });
  const call = { plugin: "pi", hook_event_name: "tool_call", session_id: "s", cwd: "/app" };
  const replyTo = (native: object) =>
    JSON.parse(pi.encode(asks, { hook_event_name: "PreToolUse", native }).stdout);
  expect(replyTo({ ...call, has_ui: true })).toEqual({ ask: "Is that meant?" });
  expect(replyTo({ ...call, has_ui: false }).deny).toContain("nobody can be asked");
});
