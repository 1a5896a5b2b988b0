import { isRecord, sameJson } from "../core/base/json.ts";
import { eventRow } from "../core/events/event-table.ts";
import type { Outcome } from "../core/events/outcomes.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { HookContext } from "../core/ports.ts";
import type { HandlerPorts, HandlerSettings } from "./handler.ts";
import { replySite } from "./reply/reply-site.ts";

/**
 * What a foreign agent sent for an event: its text, or the same object with the input that other hooks wrote, because a
 * gate must judge what will run. `undefined` when the event does not come from a foreign agent.
 */
export function nativeText(
  event: AnyEvent,
  text: string | undefined,
  keys?: "camelCase",
): string | undefined {
  const { native } = event;
  if (!isRecord(native)) return undefined;
  const changes = { ...askedInstead(event, native), ...rewritten(event, native) };
  if (keys === "camelCase" && event.host === "copilot")
    return JSON.stringify(camelCased({ ...native, ...changes }));
  if (Object.keys(changes).length === 0 && text !== undefined) return text;
  return `${JSON.stringify({ ...native, ...changes })}\n`;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that hooks have rewritten. Claude Code has the same names for them. */
function rewritten(event: AnyEvent, native: Fields): Fields {
  const fields = (replySite(event).known?.rewrites ?? []).map(([field]) => field);
  const changed = fields.filter((field) => field in native && !sameJson(native[field], event[field]));
  return Object.fromEntries(changed.map((field) => [field, event[field]]));
}

/** The name of an event whose gates are asked about an input that was rewritten at another event. */
function askedInstead({ hook_event_name: asked }: AnyEvent, { hook_event_name: sent }: Fields): Fields {
  const row = typeof sent === "string" ? eventRow(sent) : undefined;
  return row?.rechecks_with === asked ? { hook_event_name: asked } : {};
}

/*
 * GitHub Copilot CLI sends an event in two forms, by the first letter of its name in a file of hooks. It asks us in the form
 * of the capital letter. Both have the same values.
 */

/** Fields whose name in the other form does not follow from their own. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  tool_input: "toolArgs",
  last_assistant_message: "response",
  stop_hook_active: "stop_hook_active",
};

/** Copilot's own names of tools, by those it borrowed from Claude Code. */
const TOOLS: Readonly<Record<string, string>> = {
  Bash: "bash",
  Write: "create",
  Edit: "edit",
  Read: "view",
  Grep: "grep",
  Glob: "glob",
  Agent: "task",
  WebFetch: "web_fetch",
  WebSearch: "web_search",
  AskUserQuestion: "ask_user",
  TodoWrite: "update_todo",
};

/** Fields that come last. */
const OF_AGENT: readonly string[] = ["agentId", "agentType", "parentAgentId"];

/** The payload for a hook on an event with a small letter. */
export function camelCased({ hook_event_name, ...native }: Fields): Fields {
  const named = Object.entries(native).map(
    ([key, value]) => [nameOf(key), valueIn(key, value, native)] as const,
  );
  const isLast = ([key]: readonly [string, unknown]): boolean => OF_AGENT.includes(key);
  return Object.fromEntries([
    ...(hook_event_name === "Notification" ? [["hook_event_name", "notification"] as const] : []),
    ...named.filter((field) => !isLast(field)),
    ...named.filter(isLast),
  ]);
}

function nameOf(key: string): string {
  return (
    (Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined) ??
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  );
}

function valueIn(key: string, value: unknown, { tool_input }: Fields): unknown {
  if (key === "timestamp" && typeof value === "string") return Date.parse(value);
  if (key === "tool_name" && typeof value === "string") return toolOf(value, tool_input);
  if (key !== "tool_result" || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([inner, one]) => [nameOf(inner), one]));
}

/** Two of its tools have the name Edit. */
function toolOf(name: string, input: unknown): string {
  if (name === "Edit" && !(isRecord(input) && "old_str" in input)) return "apply_patch";
  return (Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined) ?? name;
}

/**
 * Asks a hook about an event. One with `written_for` is asked as its own agent would ask it, also when another agent
 * does. `ask` gets what the agent sent, where that is what the hook reads.
 */
export async function askAsWritten(
  { payload, written_for }: Pick<HandlerSettings<"command" | "http" | "mcp">, "payload" | "written_for">,
  event: AnyEvent,
  context: HookContext,
  ports: HandlerPorts,
  ask: (event: AnyEvent, sent: string | undefined) => Promise<readonly Outcome[] | undefined>,
): Promise<readonly Outcome[] | undefined> {
  if (payload !== "native" || written_for === undefined || written_for === event.host)
    return ask(event, context.payload);
  const { askTranslated } = await import("./translate.ts");
  return askTranslated(written_for, event, ports, (translated) => ask(translated, undefined));
}
