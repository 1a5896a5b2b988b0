import { expect, it } from "vitest";
import { pi } from "../../../src/adapters/pi/pi.ts";
import { pluginUnderstands } from "../plugins/understands.ts";
import { adapterSuite } from "../support/adapter-suite.ts";

const { recorded, replyTo } = adapterSuite({
  adapter: pi,
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

it("asks the user where pi has a terminal, and refuses where it has none", async () => {
  const call = recorded("tool_call.bash");
  const asks = { type: "ask", reason: "Is that meant?" };
  const asked = async (has_ui: boolean) => JSON.parse((await replyTo({ ...call, has_ui }, asks)).stdout);
  expect(await asked(true)).toEqual({ ask: "Is that meant?" });
  expect((await asked(false)).deny).toContain("nobody can be asked");
});
