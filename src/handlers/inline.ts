import { TenterhookError } from "../core/base/errors.ts";
import { sameJson } from "../core/base/json.ts";
import type { Effect } from "../core/events/effects.ts";
import { eventRow } from "../core/events/event-table.ts";
import { HookFailureError } from "../core/events/hook-failure-error.ts";
import { ownEvent } from "../core/events/known-events.ts";
import {
  abort,
  allow,
  answer,
  ask,
  context,
  deny,
  keepGoing,
  type Outcome,
  retry,
  rewrite,
} from "../core/events/outcomes.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { Handler } from "../core/ports.ts";
import { type TestCondition, testsOf } from "../rules/conditions/condition.ts";
import type { DecideEvent } from "../rules/decision.ts";
import { parseFieldPath } from "../rules/fields/field-path.ts";
import { withField } from "../rules/fields/fields.ts";
import { actionRow, decidingActions, type RuleAction, type RuleOutcome } from "../rules/rule.ts";
import type { InlineRules } from "../rules/rules.ts";

const SAY = { allow, ask, deny, context, stop: abort, retry, answer, keep_going: keepGoing } as const;

/**
 * A hook that decides by rules: no process, no model, no code of its own.
 *
 * @throws TenterhookError `effect_not_allowed` for a rule that sets what no event of the hook lets hooks change.
 */
export function inlineHandler({ rules, decide }: InlineRules, events: readonly string[]): Handler {
  for (const { action, line } of rules) {
    if (action.type === "modify") checkSettable(action.field, events, line);
  }
  const handler = ruleHandler(decidingActions(rules), decide);
  return { ...handler, tools: rules.flatMap(({ condition }) => testsOf(condition).flatMap(toolsIn)) };
}

function toolsIn({ field, operator, value }: TestCondition): readonly string[] {
  if (field !== "tool" && field !== "tool_name") return [];
  if (operator !== "equals" && operator !== "in") return [];
  return [value].flat().filter((name) => typeof name === "string");
}

/** A hook that decides by rules that were compiled before; only the types of their actions are known. */
export function ruleHandler(actions: readonly RuleAction["type"][], decide: DecideEvent): Handler {
  const effects = new Set<Effect>();
  for (const action of actions) {
    const { effect } = actionRow(action);
    if (effect !== undefined) effects.add(effect);
  }
  return {
    type: "inline",
    effects: [...effects],
    run(event, { record }) {
      const answered = (outcome: RuleOutcome): Outcome | undefined => {
        if (outcome.rule !== undefined && outcome.action !== "continue") record({ rule: outcome.rule });
        const { would } = outcome;
        const shown = would && outcomeOf(would, event);
        if (shown !== undefined && would?.rule !== undefined)
          record({ would: { outcome: shown, rule: would.rule } });
        return outcomeOf(outcome, event);
      };
      const outcome = decide(event);
      return outcome instanceof Promise ? outcome.then(answered) : answered(outcome);
    },
  };
}

/** The event field that a short name belongs to. */
const INSIDE: Readonly<Record<string, string>> = {
  args: "tool_input",
  command: "tool_input",
  path: "tool_input",
};

function checkSettable(field: string, events: readonly string[], line: number | undefined): void {
  // What can be changed on an event of the caller, its declaration says; that is looked at when the rule sets it.
  if (events.some((event) => eventRow(event) === undefined)) return;
  const root = String(parseFieldPath(field)[0]);
  const settable = events.flatMap((event) => Object.keys(eventRow(event)?.rewrites ?? {}));
  if (settable.includes(INSIDE[root] ?? root)) return;
  const where = line === undefined ? "A rule" : `The rule in line ${line}`;
  throw new TenterhookError(
    "effect_not_allowed",
    `${where} sets ${field}, but on ${events.join(" and ")} ${settable.length === 0 ? "nothing" : `only ${settable.join(" and ")}`} can be changed.`,
  );
}

function settableIn(event: AnyEvent): readonly string[] {
  const own = ownEvent(event);
  if (own !== undefined) return own.rewrites.map(([field]) => field);
  return Object.keys(eventRow(event.hook_event_name)?.rewrites ?? {});
}

function outcomeOf(outcome: RuleOutcome, event: AnyEvent): Outcome | undefined {
  switch (outcome.action) {
    case "continue":
      return undefined;
    case "modify":
      return modified(event, outcome.field, outcome.value);
    default:
      return SAY[outcome.action](outcome.text);
  }
}

/** Sets a field of the event, and returns the whole rewritten part. */
function modified(event: AnyEvent, field: string, value: unknown): Outcome | undefined {
  const parts = settableIn(event);
  const changed = withField(event, field, value);
  const part = Object.keys(changed).find((name) => !sameJson(changed[name], event[name]));
  if (part === undefined) return undefined;
  if (!parts.includes(part)) {
    throw new HookFailureError(
      "bad_output",
      `A rule sets ${field}, but on ${event.hook_event_name} only ${parts.join(" and ") || "nothing"} can be changed.`,
    );
  }
  return rewrite(parts.length === 1 ? changed[part] : { [part]: changed[part] });
}
