import { isRecord } from "../../core/base/json.ts";
import type { AgentTable } from "../codec/agent-table.ts";
import { writesWithoutMessages } from "../codec/reply-forms.ts";
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
  write: writesWithoutMessages("Crush"),
};

const KEPT = "Crush keeps the fields of a call that a rewrite leaves out.";

/** Tools of MCP servers are called `mcp_server_tool`, which does not say where the name of the server ends. */
function toolName(name: string): string {
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? name : `mcp__${server}__${tool}`;
}
