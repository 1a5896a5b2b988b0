import type { AnyEvent } from "../core/event-types.ts";
import type { Condition, ConditionCompiler } from "../core/ports.ts";
import type { RulePorts } from "../rules/subject.ts";
import type { EventPredicate } from "../rules/when.ts";
import type { RuleCondition } from "./rule-conditions.ts";

/**
 * The matcher fields `when` and `command_patterns`. The rules are loaded with the first such field: a program that has
 * none never pays for them. Events wait for what is loading.
 */
export function ruleConditions(ports: RulePorts): ConditionCompiler {
  return {
    when: (spec) =>
      loading(async () => {
        const { whenCondition } = await import("./rule-conditions.ts");
        return whenCondition(spec, ports);
      }),
    commandPatterns: (patterns) =>
      loading(async () => {
        const { commandCondition } = await import("./rule-conditions.ts");
        return commandCondition(patterns, ports);
      }),
  };
}

function loading(load: () => Promise<RuleCondition>): Condition {
  let loaded: RuleCondition | undefined;
  const ready = load().then((condition) => {
    loaded = condition;
  });
  return {
    ready,
    test: (event) => answer(loaded?.test, event),
    covers: (event) => loaded !== undefined && (loaded.covers === undefined || answer(loaded.covers, event)),
  };
}

function answer(predicate: EventPredicate | undefined, event: AnyEvent): boolean {
  const given = predicate?.(event);
  if (typeof given !== "boolean") throw new Error("The rules are not loaded yet.");
  return given;
}
