import type { Condition, ConditionCompiler } from "../core/ports.ts";
import type { RulePorts } from "../rules/subject.ts";
import type { EventPredicate } from "../rules/when.ts";

type Rules = typeof import("./rule-conditions.ts");

/**
 * The matcher fields `when` and `command_patterns`. The rules are loaded with the first such field: a program that has
 * none never pays for them. Events wait for what is loading.
 */
export function ruleConditions(ports: RulePorts): ConditionCompiler {
  return {
    when: (spec) => loaded((rules) => ({ test: rules.compileWhen(spec, ports) })),
    commandPatterns: (patterns) =>
      loaded((rules) => ({
        test: rules.compileCommandPatterns(patterns, ports),
        covers: rules.compileCommandCover(patterns, ports),
      })),
  };
}

type Compiled = { readonly test: EventPredicate; readonly covers?: EventPredicate };

function loaded(compile: (rules: Rules) => Compiled): Condition {
  let compiled: Compiled | undefined;
  const ready = import("./rule-conditions.ts").then(async (rules) => {
    const parts = compile(rules);
    await Promise.all([parts.test.load(), parts.covers?.load()]);
    compiled = parts;
  });
  // Whoever asks before it is ready gets an error; nobody has to listen for this one.
  ready.catch(() => {});
  return {
    ready,
    test: (event) => answer(compiled?.test, event),
    covers: (event) =>
      compiled !== undefined && (compiled.covers === undefined || answer(compiled.covers, event)),
  };
}

function answer(predicate: EventPredicate | undefined, event: Parameters<EventPredicate>[0]): boolean {
  const given = predicate?.(event);
  if (typeof given !== "boolean") throw new Error("The rules are not loaded yet.");
  return given;
}
