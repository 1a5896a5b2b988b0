import { isRecord } from "../../core/base/json.ts";
import type { Loss, NativeReply } from "../adapter.ts";
import type { AgentTable, Draft } from "../codec/agent-table.ts";
import { CRUSH_EVENTS, REPLY_FORMS, type ReplyFormName, UNKNOWN_EVENT } from "./events.ts";

/** Everything about Crush's payloads and replies, by its documentation and source: the program was not run. */
export const crushTable: AgentTable<ReplyFormName> = {
  name: "crush",
  title: "Crush",
  evidence: { version: "0.96.1", date: "2026-11-16", documented: true },
  events: CRUSH_EVENTS,
  unknown: UNKNOWN_EVENT,
  forms: REPLY_FORMS,
  eventOf: ({ event }) => (typeof event === "string" ? event : undefined),
  complete: (_native, { tool_name }) =>
    typeof tool_name === "string" ? { tool_name: toolName(tool_name) } : {},
  unfit: (_effect, form, { input }, { native }) => {
    if (form !== "updated_input" || input === undefined || !isRecord(native)) return false;
    const before = isRecord(native.tool_input) ? Object.keys(native.tool_input) : [];
    return before.some((key) => !Object.hasOwn(input, key)) && KEPT;
  },
  write,
};

const KEPT = "Crush keeps the fields of a call that a rewrite leaves out.";

/** Tools of MCP servers are called `mcp_server_tool`, which does not say where the name of the server ends. */
function toolName(name: string): string {
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? name : `mcp__${server}__${tool}`;
}

const UNSEEN: Loss = {
  effect: "user_message",
  became: "observe",
  message: "Crush shows the user no message of a hook.",
};

/** Crush has no place for messages to the user; they are in the journal, and on stderr for its log. */
function write({ top, messages }: Draft, _native: string, losses: readonly Loss[]): NativeReply {
  return {
    stdout: Object.keys(top).length > 0 ? JSON.stringify(top) : "",
    stderr: messages.join("\n"),
    exit_code: 0,
    losses: messages.length === 0 ? losses : [...losses, UNSEEN],
  };
}
