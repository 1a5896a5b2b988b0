import type { EventName, OwnEventName } from "../../core/events/event-table.ts";
import type { Hooks } from "../../core/hooks.ts";
import { type TestedDecision, testedDecision } from "./test-hooks.ts";

/** The events of an agent and what its hooks decided, as they happen. */
export interface RecordedEvents {
  /** All of them, in order. Those of subagents are among them. */
  readonly decisions: readonly TestedDecision[];
  /** Those about one kind of event. */
  of(event: EventName | OwnEventName): readonly TestedDecision[];
  /** Records no more. */
  stop(): void;
}

/**
 * Records every event of an agent, or of a hook set, from now on, with what was decided about it. It changes nothing.
 *
 * @example
 * const recorded = recordEvents(agent);
 * await agent.run("Tidy up.");
 * expect(recorded.of("PreToolUse")[0]).toDeny();
 */
export function recordEvents(source: Hooks | { readonly hooks: Hooks }): RecordedEvents {
  const decisions: TestedDecision[] = [];
  const hooks = "hooks" in source ? source.hooks : source;
  const stop = hooks.observe({
    onDecision: (decided) => decisions.push(testedDecision({ ...decided, not_evaluated: [] })),
  });
  return {
    decisions,
    of: (name) => decisions.filter(({ event }) => event.hook_event_name === name),
    stop,
  };
}
