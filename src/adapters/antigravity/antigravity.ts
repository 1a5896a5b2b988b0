import { isRecord, listOf } from "../../core/base/json.ts";
import type { Adapter, Loss, NativePayload, NativeReply } from "../adapter.ts";
import { agentTable, type Draft } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText, unseenMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";

/** Fields that only one of these events has, the gate first. */
const BY_FIELDS: readonly (readonly [event: string, fields: readonly string[]])[] = [
  ["PreToolUse", ["toolCall", "stepIdx"]],
  ["PreInvocation", ["invocationNum", "initialNumSteps"]],
  ["Stop", ["executionNum", "terminationReason", "fullyIdle", "finalModelOutput"]],
];

/** The event of a payload: its name, should a version give one, or what its fields tell. */
function antigravityEvent(payload: Readonly<Record<string, unknown>>): string | undefined {
  const { hook_event_name, conversationId } = payload;
  if (hook_event_name !== undefined) return typeof hook_event_name === "string" ? hook_event_name : undefined;
  const found = BY_FIELDS.find(([, fields]) => fields.some((field) => Object.hasOwn(payload, field)));
  return found?.[0] ?? (typeof conversationId === "string" ? "SessionStart" : undefined);
}

type Fields = Readonly<Record<string, unknown>>;

export const antigravityTable = agentTable({
  name: "antigravity",
  title: "Antigravity CLI",
  evidence: { version: "1.2.3", date: "2026-11-16", documented: true },
  asks: { question: "terminal" },
  /**
   * The events of Antigravity CLI that can be distinguished. Payloads name no event, and those of PostToolUse and
   * PostInvocation look like those of PreToolUse and PreInvocation, so that hooks are never called for them.
   *
   * `ask` is not there: it gives way to --dangerously-skip-permissions, and what `force_ask` does then is not known. Nor are
   * rewrites: two forms of `overwrite` are reported, and one of them is dropped without a word.
   */
  events: {
    SessionStart: { event: "SessionStart", says: { context: "inject_steps" } },
    PreInvocation: {
      says: { context: "inject_steps" },
      declares: { effects: ["context"], summary: "Antigravity is about to ask the model." },
    },
    PreToolUse: { event: "PreToolUse", fields: ofCall, says: { allow: "decision", deny: "decision" } },
    Stop: {
      event: "Stop",
      renames: { finalModelOutput: "last_assistant_message" },
      says: { keep_going: "continue" },
    },
  },
  unknown: { deny: "exit_2" },
  /** The ways to pass something on to Antigravity CLI. A key that it does not know refuses a call. */
  forms: {
    exit_2: COMMON_FORMS.exit_2,
    decision: ({ top }, { action, reason }) => {
      top.decision = action;
      if (reason !== undefined) top.reason = reason;
    },
    inject_steps: ({ top }, decision) => {
      top.injectSteps = [{ ephemeralMessage: contextText(decision) }];
    },
    continue: ({ top }, { reason, keep_going }) => {
      top.decision = "continue";
      top.reason = keep_going?.reason ?? reason ?? "Go on.";
    },
  },
  eventOf: antigravityEvent,
  complete: ({ conversationId, workspacePaths, transcriptPath }, folder) => {
    const [workspace] = listOf(workspacePaths);
    return {
      session_id: conversationId,
      // Without a workspace, only the folder in which it starts hooks is left: that of their file.
      cwd: typeof workspace === "string" && workspace !== "" ? workspace : folder,
      ...(typeof transcriptPath === "string" ? { transcript_path: transcriptPath } : {}),
    };
  },
  write,
});

/** All tools of MCP servers are called by one tool of its own. */
function ofCall({ toolCall }: NativePayload): Fields {
  const { name, args } = isRecord(toolCall) ? toolCall : {};
  const { ServerName, ToolName, Arguments = {} } = isRecord(args) ? args : {};
  return name === "call_mcp_tool" && typeof ServerName === "string" && typeof ToolName === "string"
    ? { tool_name: `mcp__${ServerName}__${ToolName}`, tool_input: Arguments }
    : { tool_name: name, tool_input: args };
}

const UNSEEN = unseenMessages("Antigravity CLI shows the user no message of a hook.");

/** It has no place for messages to the user; they are in the journal, and on stderr. */
function write(
  { top, stderr, exit_code, messages }: Draft,
  _native: string,
  losses: readonly Loss[],
): NativeReply {
  return {
    stdout: exit_code === 0 && Object.keys(top).length > 0 ? JSON.stringify(top) : "",
    stderr: [...new Set([stderr, ...messages])].filter((text) => text !== "").join("\n"),
    exit_code,
    losses: messages.length === 0 ? losses : [...losses, UNSEEN],
  };
}

export const antigravity: Adapter = Object.assign(tableCodec(antigravityTable), {
  otherVariables: ["ANTIGRAVITY_AGENT"],
});
