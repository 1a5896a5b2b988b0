import { isRecord } from "../../core/base/json.ts";
import type { Adapter } from "../adapter.ts";
import { agentTable } from "../codec/agent-table.ts";
import { contextText, writesWithoutMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";

function withContext(reason: string, context: string): string {
  return context === "" ? reason : `${reason}\n\n${context}`;
}

export const crushTable = agentTable({
  name: "crush",
  title: "Crush",
  evidence: { version: "0.96.1", date: "2026-11-16", documented: true },
  asks: {},
  /** The one event of Crush 0.96.1. `ask` is not there: it runs what a hook asks about. */
  events: {
    PreToolUse: {
      event: "PreToolUse",
      says: {
        allow: "decision",
        deny: "decision",
        rewrite: "updated_input",
        context: "context",
        abort: "halt",
      },
    },
  },
  unknown: { deny: "decision", abort: "halt" },
  /** The ways to pass something on to Crush. It ignores all of them next to a `hookSpecificOutput`. */
  forms: {
    /** An allow skips the question to the user. The context of a call that does not run goes with the reason. */
    decision: ({ top }, decision) => {
      top.decision = decision.action;
      if (decision.action === "deny")
        top.reason = withContext(decision.reason ?? "Denied by a hook.", contextText(decision));
    },
    /** It ends the turn and does not run the call. */
    halt: ({ top }, decision) => {
      const { action, abort, reason } = decision;
      const why = (action === "deny" ? reason : undefined) ?? abort?.reason ?? "Stopped by a hook.";
      top.halt = true;
      top.reason = withContext(why, contextText(decision));
    },
    /** It puts these fields over those of the call. */
    updated_input: ({ top }, { input, action }) => {
      if (action !== "deny") top.updated_input = input;
    },
    /** The model reads it after the result. */
    context: ({ top }, decision) => {
      if (decision.action !== "deny" && decision.abort === undefined) top.context = contextText(decision);
    },
  },
  eventOf: ({ event }) => (typeof event === "string" ? event : undefined),
  complete: ({ tool_name }) => (typeof tool_name === "string" ? { tool_name: toolName(tool_name) } : {}),
  unfit: (_effect, form, { input }, { native }) => {
    if (form !== "updated_input" || input === undefined || !isRecord(native)) return false;
    const before = isRecord(native.tool_input) ? Object.keys(native.tool_input) : [];
    return before.some((key) => !Object.hasOwn(input, key)) && KEPT;
  },
  write: writesWithoutMessages("Crush"),
});

const KEPT = "Crush keeps the fields of a call that a rewrite leaves out.";

/** Tools of MCP servers are called `mcp_server_tool`, which does not say where the name of the server ends. */
function toolName(name: string): string {
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? name : `mcp__${server}__${tool}`;
}

export const crush: Adapter = Object.assign(tableCodec(crushTable), {
  otherVariables: [
    "CRUSH",
    "AGENT",
    "CRUSH_CWD",
    "CRUSH_PROJECT_DIR",
    "CRUSH_SESSION_ID",
    "CRUSH_EVENT",
    "CRUSH_TOOL_NAME",
    "CRUSH_TOOL_INPUT_COMMAND",
    "CRUSH_TOOL_INPUT_FILE_PATH",
  ],
});
