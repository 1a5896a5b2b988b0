import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareRule, ruleRequirements } from "../../src/rules/compiled/prepared-rule.ts";
import { compiledDecision, compiledRules, decideByRules, indexedDecision } from "../../src/rules/decision.ts";
import { subjectOf } from "../../src/rules/fields/judged-event.ts";
import { loadShellAnalysis } from "../../src/rules/fields/shell-analysis.ts";
import { buildIndex, candidateRules } from "../../src/rules/index/rule-index.ts";
import { loadRegexEngine } from "../../src/rules/operators/regex.ts";
import type { Rule, RuleAction } from "../../src/rules/rule.ts";
import { runs } from "../support/long.ts";
import { ports } from "./ports.ts";
import { event } from "./support/random-calls.ts";
import { condition } from "./support/random-conditions.ts";

const COMPARISONS = runs(200);
const EVENTS = 10;

const rules = fc.array(
  fc
    .tuple(
      condition,
      fc.oneof(
        {
          weight: 8,
          arbitrary: fc
            .tuple(
              fc.constantFrom("deny" as const, "ask" as const, "allow" as const, "context" as const),
              fc.constantFrom("x", "{{command}} {{args.count | json}}"),
            )
            .map(([type, text]): RuleAction => ({ type, text })),
        },
        fc.constantFrom<RuleAction>(
          { type: "continue" },
          { type: "stop", text: "" },
          { type: "modify", field: "command", value: "echo {{tool}}" },
        ),
      ),
    )
    .map(([holds, action]): Rule => ({ condition: holds, action })),
  { minLength: 1, maxLength: 8 },
);

describe("the index", () => {
  it("never decides otherwise than asking every rule in order", async () => {
    await Promise.all([loadRegexEngine(), loadShellAnalysis()]);
    let decided = 0;
    let cleared = 0;
    fc.assert(
      fc.property(rules, fc.array(event, { minLength: EVENTS, maxLength: EVENTS }), (list, events) => {
        const prepared = list.map((rule, index) => prepareRule(rule, index, ports));
        const inMemory = buildIndex(prepared.map(ruleRequirements));
        const rulesAt = (numbers: readonly number[]) => numbers.flatMap((at) => prepared[at] ?? []);
        const indexed = indexedDecision(() => inMemory, rulesAt, ports, "h");
        const { index, lines } = compiledRules(list, ports);
        const fromCache = compiledDecision(JSON.parse(JSON.stringify(index)), () => lines, ports, "h");
        for (const each of events) {
          const naive = decideByRules(prepared, subjectOf(each, ports), "h");
          if ("action" in naive && naive.action !== "continue") decided += 1;
          expect(indexed(each)).toEqual(naive);
          expect(fromCache(each)).toEqual(naive);
          const subject = subjectOf(each, ports);
          const found = candidateRules(index, subject);
          if (!(found instanceof Promise) && found.length === 0) cleared += 1;
        }
      }),
      { numRuns: COMPARISONS / EVENTS },
    );
    // A law that is never put to the test proves nothing.
    expect(decided).toBeGreaterThan(COMPARISONS / 20);
    expect(cleared).toBeGreaterThan(0);
  }, 600_000);
});
