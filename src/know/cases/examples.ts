import { isRecord } from "../../core/base/json.ts";
import { exampleEvent } from "../../rules/examples.ts";
import { readExamples } from "../../rules/objects/rule-object.ts";
import type { Rule, RuleExample } from "../../rules/rule.ts";
import type { OwnRules } from "./own-rules.ts";
import type { CaseResult } from "./run-case.ts";

/** The examples of a hook's rules, which are cases too: of the hook as a whole, and of single rules. */
export async function runExamples(
  own: OwnRules,
  reached: (hook: string, rule: number) => void,
): Promise<readonly CaseResult[]> {
  const { hook, definition, rules } = own;
  const whole = readExamples(definition.examples ?? [], hook).map((example) => ({ example, among: rules }));
  const single = rules.flatMap((rule) =>
    (rule.examples ?? []).map((example) => ({ example, among: [rule] })),
  );
  return Promise.all(
    [...whole, ...single].map(({ example, among }) => runExample(own, example, among, reached)),
  );
}

async function runExample(
  { hook, file, line, rules, decide }: OwnRules,
  example: RuleExample,
  among: readonly Rule[],
  reached: (hook: string, rule: number) => void,
): Promise<CaseResult> {
  const wanted = "match" in example;
  const written = "match" in example ? example.match : example.not_match;
  const { action, rule } = await decide(exampleEvent(written, among));
  const isAmong = rule !== undefined && among.some((one) => one === rules[rule.index]);
  if (rule !== undefined) reached(hook, rule.index);
  const isRight = (isAmong && action !== "continue") === wanted;
  const text = typeof written === "string" ? written : isRecord(written) ? JSON.stringify(written) : "";
  return {
    name: `${hook} ${wanted ? "decides" : "leaves alone"}: ${text}`,
    file,
    line,
    status: isRight ? "passed" : "failed",
    actual: { action, rule: rule?.source, hook },
    hooks: [{ name: hook, said: action }],
    differences: isRight ? [] : [{ key: "rule", expected: wanted, actual: rule?.source }],
  };
}
