import { isRecord } from "../../core/base/json.ts";
import type { Adapter, NativePayload } from "../adapter.ts";
import type { AgentEvent, AgentTable } from "../codec/agent-table.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { type PluginForm, pluginTable } from "../plugins/plugin-table.ts";

/** The events of pi for which our extension asks, by pi's names. */
const EVENTS: Readonly<Record<string, AgentEvent<PluginForm>>> = {
  session_start: { event: "SessionStart", says: { context: "context" } },
  session_shutdown: { event: "SessionEnd", says: {} },
  input: { event: "UserPromptSubmit", says: { deny: "deny", rewrite: "prompt", context: "context" } },
  tool_call: {
    event: "PreToolUse",
    says: { ask: "ask", deny: "deny", rewrite: "input", context: "context", abort: "end" },
  },
  tool_result: {
    event: "PostToolUse",
    says: { deny: "deny", rewrite: "output", context: "context", abort: "end" },
  },
  /** The `tool_result` of a call that failed. */
  "tool_result.error": { event: "PostToolUseFailure", says: { rewrite: "output", context: "context" } },
  session_before_compact: { event: "PreCompact", says: { deny: "deny" }, documented: true },
  /** The last turn: the one without tool calls. */
  turn_end: { event: "Stop", says: { keep_going: "keep_going" } },
};

export const piTable: AgentTable<PluginForm> = pluginTable({
  name: "pi",
  title: "pi",
  evidence: { version: "1.5.2", date: "2026-11-19" },
  asks: {},
  events: EVENTS,
  unfit: (effect, _form, _decision, { native }) =>
    effect === "ask" && !(isRecord(native) && native.has_ui === true)
      ? "pi runs without a terminal: nobody can be asked."
      : false,
});

export const pi: Adapter = Object.assign(tableCodec(piTable), {
  otherVariables: ["PI_CODING_AGENT"],
  usage: async (payload: NativePayload) => (await import("./transcript.ts")).piUsage(payload),
});
