import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { AgentEvent, ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText } from "../codec/reply-forms.ts";

/** The ways to pass something on to Gemini CLI. It ignores Claude Code's `permissionDecision` and `updatedInput`. */
export const REPLY_FORMS = {
  stop: COMMON_FORMS.stop,
  additional_context: COMMON_FORMS.additional_context,
  /** A refusal; where the agent is about to stop, it goes on with the reason as input. */
  decision: ({ top }, { reason, keep_going }) => {
    top.decision = "deny";
    top.reason = keep_going?.reason ?? reason ?? "Denied by a hook.";
  },
  /** The whole input: version 0.61 replaces it, older ones put the fields over those of the call. */
  tool_input: ({ specific }, { input }) => {
    specific.tool_input = input;
  },
  /** The model reads the reason in place of the result, as an error of the tool. Context would be lost with the result. */
  instead_of_result: ({ top }, decision) => {
    const parts = [decision.reason ?? textOf(decision.output), contextText(decision)];
    top.decision = "deny";
    top.reason = parts.filter((part) => part !== "").join("\n\n") || "The result is empty.";
  },
  /** Only what changed: messages are sent to hooks as text, and would come back without their tool calls. */
  llm_request: ({ specific }, { request }, payload) => {
    specific.llm_request = changedKeys(request, isRecord(payload) ? payload.llm_request : undefined);
  },
} as const satisfies Record<string, ReplyForm>;

export type ReplyFormName = keyof typeof REPLY_FORMS;

type GeminiEvent = AgentEvent<ReplyFormName>;

function textOf(output: unknown): string {
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
}

function changedKeys(after: Decision["request"], before: unknown): Readonly<Record<string, unknown>> {
  const old = isRecord(before) ? before : {};
  return Object.fromEntries(
    Object.entries(after ?? {}).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(old[key])),
  );
}

/** An event newer than this table may be a gate. */
export const UNKNOWN_EVENT: GeminiEvent = { says: { deny: "decision" }, declares: { effects: ["deny"] } };

/**
 * The events of Gemini CLI 0.61.0, each with the replies it honours. A hook that allows a call changes nothing: its own
 * permissions decide. It takes `ask`, but without a terminal it then ends the run without a word, with exit code 0.
 */
export const GEMINI_EVENTS: Readonly<Record<string, GeminiEvent>> = {
  SessionStart: { event: "SessionStart", says: { context: "additional_context" } },
  SessionEnd: { event: "SessionEnd", says: {} },
  BeforeAgent: {
    event: "UserPromptSubmit",
    says: { deny: "decision", context: "additional_context", abort: "stop" },
  },
  AfterAgent: {
    event: "Stop",
    renames: { prompt_response: "last_assistant_message" },
    says: { keep_going: "decision", abort: "stop" },
  },
  BeforeModel: {
    event: "PreModelRequest",
    renames: { llm_request: "request" },
    says: { rewrite: "llm_request", abort: "stop" },
    documented: ["rewrite"],
  },
  /** One for each piece of the answer. */
  AfterModel: { event: "StreamDelta", says: { abort: "stop" } },
  BeforeToolSelection: { says: {}, declares: { effects: [] } },
  BeforeTool: {
    event: "PreToolUse",
    says: { deny: "decision", rewrite: "tool_input", abort: "stop" },
  },
  AfterTool: {
    event: "PostToolUse",
    says: {
      deny: "instead_of_result",
      rewrite: "instead_of_result",
      context: "additional_context",
      abort: "stop",
    },
  },
  /** Comes before every request to the model, also when there is nothing to compress. */
  PreCompress: { event: "PreCompact", says: {} },
  Notification: { event: "Notification", says: {}, documented: true },
};

/** The events whose matcher compares the tool. */
export const TOOL_EVENTS: ReadonlySet<string> = new Set(["BeforeTool", "AfterTool"]);
