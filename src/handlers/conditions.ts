import { frozenCopy } from "../core/base/json.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { Condition, ConditionCompiler } from "../core/ports.ts";
import type { EventPredicate } from "../rules/compiled/when.ts";
import type { RulePorts } from "../rules/fields/judged-event.ts";
import type { RuleCondition } from "./rule-conditions.ts";

/**
 * The matcher fields `when` and `command_patterns`. The rules are loaded with the first such field: a program that has
 * none never pays for them. Events wait for what is loading.
 */
export function ruleConditions(ports: RulePorts): ConditionCompiler {
  return {
    when: (spec) => {
      // As it is now: the caller may change its object before the rules are loaded.
      const condition = frozenCopy(spec);
      return loading(async () => {
        const { whenCondition } = await import("./rule-conditions.ts");
        return whenCondition(condition, ports);
      });
    },
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
    covers: (event) => answer(loaded?.covers, event),
  };
}

function answer(predicate: EventPredicate | undefined, event: AnyEvent): boolean {
  const given = predicate?.(event);
  if (typeof given !== "boolean") throw new Error("The rules are not loaded yet.");
  return given;
}
