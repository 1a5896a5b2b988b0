import type { Effect } from "../core/effects.ts";
import type { AnyEvent } from "../core/event-types.ts";
import { EVENTS, type EventRow } from "../core/events.ts";
import { HookFailureError } from "../core/hook-failure-error.ts";
import { abort, allow, ask, context, deny, type Outcome, rewrite } from "../core/outcomes.ts";
import type { Handler } from "../core/ports.ts";
import { withField } from "../rules/fields.ts";
import type { RuleAction, RuleOutcome } from "../rules/rule.ts";
import type { InlineRules } from "../rules/rules.ts";

/** What each action of a rule does to an event. */
const EFFECT_OF: Readonly<Record<Exclude<RuleAction["type"], "continue">, Effect>> = {
  allow: "allow",
  ask: "ask",
  deny: "deny",
  context: "context",
  stop: "abort",
  modify: "rewrite",
};

const SAY = { allow, ask, deny, context, stop: abort } as const;

/** A hook that decides by rules: no process, no model, no code of its own. */
export function inlineHandler({ rules, decide }: InlineRules): Handler {
  const effects = new Set<Effect>();
  for (const { action } of rules) if (action.type !== "continue") effects.add(EFFECT_OF[action.type]);
  return {
    type: "inline",
    effects: [...effects],
    run(event) {
      const outcome = decide(event);
      return outcome instanceof Promise ? outcome.then((later) => said(later, event)) : said(outcome, event);
    },
  };
}

function said(outcome: RuleOutcome, event: AnyEvent): Outcome | undefined {
  switch (outcome.action) {
    case "continue":
      return undefined;
    case "modify":
      return modified(event, outcome.field, outcome.value);
    default:
      return SAY[outcome.action](outcome.text);
  }
}

/** Writes a field of the event; what the event lets hooks rewrite is then given as a whole. */
function modified(event: AnyEvent, field: string, value: unknown): Outcome {
  const table: Readonly<Record<string, EventRow>> = EVENTS;
  const parts = Object.keys(table[event.hook_event_name]?.rewrites ?? { input: "input" });
  const changed = withField(event, field, value);
  const part = parts.find((name) => changed[name] !== event[name]);
  if (part === undefined) {
    throw new HookFailureError(
      "bad_output",
      `A rule sets ${field}, but on ${event.hook_event_name} only ${parts.join(" and ") || "nothing"} can be changed.`,
    );
  }
  return rewrite(parts.length === 1 ? changed[part] : { [part]: changed[part] });
}
