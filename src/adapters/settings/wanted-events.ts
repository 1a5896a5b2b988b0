import { eventsAsked } from "../../core/events/event-table.ts";
import { type AgentTable, isGate, nativeOf, ownName, rowOf } from "../codec/agent-table.ts";
import type { AgentSettings, HookInForce, WantedEvent } from "./agent-settings.ts";
import { type ToolNaming, toolMatcher } from "./tool-matcher.ts";

/** For the start of our process and for ending what hooks started, on top of our timeouts. */
const MARGIN_SECONDS = 30;

/** The tools of an event, as a matcher; all when absent. */
export interface ShownBy {
  readonly matcher?: string;
}

/** What decides which of an agent's events hooks need. */
export interface WantedRules {
  readonly table: AgentTable;
  /** The agent's own timeout: what we write is never shorter. */
  readonly usualSeconds: number;
  /** Absent when the agent can't select tools. */
  readonly tools?: ToolNaming;
  /** The events whose matcher compares the tool. */
  readonly toolEvents: ReadonlySet<string>;
  /** The events, and their tools, that show that it waits for a human. */
  readonly prompts: ReadonlyMap<string, ShownBy>;
  /** The events after which it waits for its user and can be woken. */
  readonly wakes?: ReadonlySet<string>;
  /** False for an event that these hooks do not need although it becomes theirs. Default: true. */
  isNeeded?(native: string, wanting: readonly HookInForce[]): boolean;
  /** The matcher of an event that is not about tools. */
  matcherFor?(native: string, wanting: readonly HookInForce[]): string | undefined;
}

/** The agent's events that these hooks need, and the events it never sends. */
export function wantedEvents(
  rules: WantedRules,
  hooks: readonly HookInForce[],
): ReturnType<AgentSettings["wanted"]> {
  const { table, usualSeconds } = rules;
  const needed = new Set(hooks.flatMap(({ events }) => events));
  const prompts = needed.delete("AgentPrompt") ? rules.prompts : undefined;
  const sent = new Set<string>();
  const events = Object.entries(table.events).flatMap(([native, row]): WantedEvent[] => {
    const ours = row.event ?? ownName(table, native);
    const shown = prompts?.get(native);
    const names = shown === undefined ? [ours] : [ours, "AgentPrompt"];
    const timeout = secondsFor(names, hooks, usualSeconds);
    if (!needed.has(ours)) return shown === undefined ? [] : [{ native, gate: false, timeout, ...shown }];
    sent.add(ours);
    const wanting = hooks.filter((hook) => hook.events.includes(ours));
    if (rules.isNeeded?.(native, wanting) === false) return [];
    const gate = isGate(row) && wanting.some(({ observes }) => observes !== true);
    const wakes = rules.wakes?.has(native) === true && wanting.some((hook) => hook.wakes === true);
    return [
      {
        native,
        gate,
        timeout,
        ...matcherFor(rules, native, wanting, shown),
        ...(wakes ? { wakes } : {}),
      },
    ];
  });
  const decided = new Set(hooks.filter(({ observes }) => observes !== true).flatMap(({ events }) => events));
  const others = [...needed].filter((name) => !sent.has(name) && decided.has(name));
  // An event newer than the table is requested all the same.
  const newer = others.flatMap((name): WantedEvent[] => {
    const native = nativeOf(table, name);
    if (native === undefined) return [];
    const timeout = secondsFor([name], hooks, usualSeconds);
    return [{ native, gate: isGate(rowOf(table, native)), timeout }];
  });
  return {
    events: [...events, ...newer],
    never_sent: others.filter((name) => nativeOf(table, name) === undefined),
  };
}

/** The tools that hooks want, with those that show that it waits for a human; or what else the event is about. */
function matcherFor(
  { tools, toolEvents, matcherFor: other }: WantedRules,
  native: string,
  wanting: readonly HookInForce[],
  shown: ShownBy | undefined,
): Pick<WantedEvent, "matcher" | "of_hooks"> {
  if (tools === undefined || !toolEvents.has(native)) {
    const matcher = other?.(native, wanting);
    return matcher === undefined ? {} : { matcher };
  }
  if (shown !== undefined && shown.matcher === undefined) return {};
  const prompts = shown?.matcher === undefined ? [] : [{ tools: [shown.matcher] }];
  const matcher = toolMatcher(tools, [...wanting, ...prompts]);
  return matcher === undefined ? {} : { matcher, of_hooks: true };
}

function secondsFor(names: readonly string[], hooks: readonly HookInForce[], usual: number): number {
  const timeoutsOf = (name: string): readonly number[] =>
    hooks.filter(({ events }) => events.includes(name)).map(({ timeout }) => timeout);
  let seconds = 0;
  let mayFail = 0;
  for (const name of names) {
    for (const asked of eventsAsked(name)) {
      if (asked === "Error" && name !== "Error") continue;
      const timeouts = timeoutsOf(asked);
      // A rewrite runs every gate once more; nobody is asked again whether he has answered.
      seconds += sum(timeouts) * (asked === name && name !== "AgentPrompt" ? 2 : 1);
      if (name !== "Error") mayFail += timeouts.length;
    }
  }
  // Each hook that fails runs the hooks on Error.
  seconds += mayFail * sum(timeoutsOf("Error"));
  return Math.max(usual, Math.ceil(seconds) + MARGIN_SECONDS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
