import { runsPattern } from "../conditions/compile.ts";
import { type RuleEvent, type RulePorts, subjectOf } from "../fields/judged-event.ts";
import { loadShellAnalysis } from "../fields/shell-analysis.ts";
import { readCondition } from "../objects/condition-object.ts";
import { loadRegexEngine } from "../operators/regex.ts";
import type { RuleAction } from "../rule.ts";
import { compileRuns } from "../shell/runs.ts";
import { missingParts, predicateOf, prepareRule } from "./prepared-rule.ts";
import { gaveUp, mayHold, ruleHolds } from "./rule-holds.ts";

/** A test of an event, as matchers use it. */
export interface EventPredicate {
  /** Returns a promise only when the shell analysis or the regular expression engine must be loaded first. */
  (event: RuleEvent): boolean | Promise<boolean>;
  /**
   * Loads and compiles everything, so that every later call is synchronous.
   *
   * @throws TenterhookError `bad_pattern` for a regular expression that can't be compiled.
   */
  load(): Promise<void>;
}

/**
 * Compiles the `when` of a matcher: any rule condition, as an object or in the one-line language.
 *
 * @throws TenterhookError `bad_rule`, and `bad_pattern` for a glob; a bad regular expression shows when the predicate
 * is loaded or first asked.
 */
export function compileWhen(spec: unknown, ports: RulePorts): EventPredicate {
  return predicate(spec, { type: "continue" }, ports);
}

/**
 * Like {@link compileWhen}, but as strict as the condition of an allow rule: about shell text it holds only when every
 * simple command meets it by itself and none is dynamic. What an allow of a hook with `when` needs.
 */
export function compileWhenCover(spec: unknown, ports: RulePorts): EventPredicate {
  return predicate(spec, { type: "allow", text: "" }, ports);
}

function predicate(spec: unknown, action: RuleAction, ports: RulePorts): EventPredicate {
  const prepared = prepareRule({ condition: readCondition(spec, "when"), action }, 0, ports);
  for (const test of prepared.shellTests) if (test.operator === "runs") compileRuns(runsPattern(test));
  if (!prepared.regex) predicateOf(prepared);
  const ask = (event: RuleEvent): boolean | Promise<boolean> => {
    const subject = subjectOf(event, ports);
    const missing = missingParts(prepared, subject);
    if (missing !== undefined) return missing.then(() => ask(event));
    if (ruleHolds(prepared, subject)) return true;
    return action.type !== "allow" && gaveUp(prepared, subject) && mayHold(prepared, subject);
  };
  const load = async () => {
    if (prepared.regex) await loadRegexEngine();
    if (prepared.shellTests.length > 0 || prepared.allowsShell) await loadShellAnalysis();
    predicateOf(prepared);
  };
  return Object.assign(ask, { load });
}
