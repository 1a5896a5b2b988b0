import { checkKeys } from "../../core/base/check-options.ts";
import { invalidOption } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import { type ContextOutcome, context, keepGoing } from "../../core/events/outcomes.ts";
import type { HookEvent } from "../../core/events/payloads.ts";
import type { Hooks } from "../../core/hooks.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";

/** When a model is reminded of its work list. */
export interface TodoReminderOptions {
  /** After how many tool calls without a change of the list. Default 10. */
  readonly every?: number;
}

type AfterTool = "PostToolUse" | "PostToolUseFailure";

interface WorkList {
  readonly open: readonly string[];
  calls: number;
}

const MOST_AGENTS = 1000;
const MOST_ITEMS = 20;
const MOST_CHARACTERS = 200;

/**
 * Adds hooks that remind a model of the open items of its work list, which it writes with TodoWrite: after a number of tool
 * calls that left the list as it was, and, on Stop, once when it wants to stop. It knows the lists that were written since
 * it was made; each agent has its own.
 *
 * @returns a function that removes them.
 * @throws TenterhookError `unknown_option` and `invalid_option`.
 * @example todoReminder(hooks, { every: 8 })
 */
export function todoReminder(hooks: Pick<Hooks, "on">, options: TodoReminderOptions = {}): () => void {
  checkKeys(options, ["every"], "todoReminder");
  const { every = 10 } = options;
  if (!Number.isInteger(every) || every < 1)
    throw invalidOption("todoReminder: every must be a whole number from 1 on.");
  const lists = new Map<string, WorkList>();
  const afterTool = (event: HookEvent<AfterTool>): ContextOutcome | undefined => {
    const { session_id, agent_id = session_id } = event;
    const list = lists.get(agent_id);
    if (event.hook_event_name === "PostToolUse" && canonicalToolName(event.tool_name) === "TodoWrite") {
      const open = openItems(event.tool_input);
      lists.delete(agent_id);
      if (open.length > 0) lists.set(agent_id, { open, calls: 0 });
      const [oldest] = lists.keys();
      if (lists.size > MOST_AGENTS && oldest !== undefined) lists.delete(oldest);
      return undefined;
    }
    if (list === undefined) return undefined;
    list.calls += 1;
    if (list.calls < every) return undefined;
    list.calls = 0;
    return context(`${shown(list)}\nUpdate the list when you have finished an item.`);
  };
  const removers = [
    hooks.on(["PostToolUse", "PostToolUseFailure"], afterTool),
    hooks.on("Stop", ({ session_id, agent_id = session_id, stop_hook_active }) => {
      const list = lists.get(agent_id);
      if (list === undefined || stop_hook_active === true) return undefined;
      return keepGoing(`${shown(list)}\nFinish them, or update the list and say why they stay open.`);
    }),
  ];
  return () => {
    for (const remove of removers) remove();
  };
}

function openItems({ todos }: Readonly<Record<string, unknown>>): readonly string[] {
  return (Array.isArray(todos) ? todos : [])
    .filter(isRecord)
    .filter(({ status }) => status !== "completed")
    .map(({ content, status }) => {
      const text = capText(String(content).replaceAll(/\s+/g, " "), MOST_CHARACTERS - 20);
      return status === "in_progress" ? `${text} (in progress)` : text;
    });
}

function shown({ open }: WorkList): string {
  const lines = open.slice(0, MOST_ITEMS).map((item) => `- ${item}`);
  const rest = open.length - lines.length;
  return ["Open items of your work list:", ...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join("\n");
}
