import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";
import type { NativePayload } from "../adapter.ts";
import type { AgentTable } from "./agent-table.ts";

/** Fields that only we have, or that the agent that sent the event has for itself. */
const NOT_SENT: ReadonlySet<string> = new Set([
  "native",
  "host",
  "event_id",
  "seq",
  "usage",
  "turn_id",
  "continuations",
  "timestamp",
]);

/**
 * The payload with which an agent would tell its hooks of an event that another agent sent. The names of tools and inputs
 * of the event are ours.
 */
export function payloadOf(
  table: Pick<AgentTable, "events" | "tools" | "tells">,
  event: AnyEvent,
): NativePayload {
  const [native = event.hook_event_name, row] =
    Object.entries(table.events).find(
      ([, { event: ours, follows }]) => ours === event.hook_event_name && follows === undefined,
    ) ?? [];
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(event).filter(([name]) => !NOT_SENT.has(name) && !Object.hasOwn(row?.adds ?? {}, name)),
  );
  for (const [own, ours] of Object.entries(row?.renames ?? {})) {
    fields[own] = fields[ours];
    delete fields[ours];
  }
  const { tool_name } = fields;
  if (typeof tool_name === "string") fields.tool_name = ownTool(table, tool_name);
  return withoutUndefined({ ...(table.tells?.(fields, event) ?? fields), hook_event_name: native });
}

function ownTool({ tools = {} }: Pick<AgentTable, "tools">, name: string): string {
  const tool = canonicalToolName(name);
  return (Object.hasOwn(tools, tool) ? tools[tool]?.[0] : undefined) ?? name;
}

/** The server and the tool in our name of an MCP server's tool. */
export function mcpParts(name: unknown): { readonly server: string; readonly tool: string } | undefined {
  const [, server, tool] = typeof name === "string" ? (/^mcp__(.+?)__(.+)$/s.exec(name) ?? []) : [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

/** What a tool returned as text, from the forms that agents have for it. */
export function resultText(response: unknown): string {
  if (typeof response === "string") return response;
  if (!isRecord(response)) return JSON.stringify(response) ?? "";
  const { stdout, stderr, llmContent, text_result_for_llm, textResultForLlm, output } = response;
  if (typeof stdout === "string") return [stdout, stderr].filter((part) => typeof part === "string").join("");
  const text = [llmContent, text_result_for_llm, textResultForLlm, output].find(
    (one) => typeof one === "string",
  );
  return typeof text === "string" ? text : JSON.stringify(response);
}

/** A result as Gemini CLI and Qwen Code have it. */
export function shownResult(response: unknown): NativePayload | undefined {
  if (response === undefined || (isRecord(response) && response.llmContent !== undefined))
    return isRecord(response) ? response : undefined;
  const text = resultText(response);
  return { llmContent: text, returnDisplay: text };
}
