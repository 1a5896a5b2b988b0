import fc from "fast-check";
import { type Condition, group, type TestCondition } from "../../src/rules/conditions/condition.ts";
import type { RuleAction, RuleValue } from "../../src/rules/rule.ts";

const word = fc.string({ unit: fc.constantFrom(..."abcXYZ01_/.*-\"'\\ ü#"), maxLength: 8 });
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((n) => (n === 0 ? 0 : n));
const scalar = fc.oneof(word, number, fc.boolean());
const field = fc.constantFrom(
  "event",
  "tool",
  "args.command",
  "tool_input.file_path",
  "tool_calls[0].tool_name",
  'args["odd key"]',
  "args.dashed-name",
  "new_model",
);
const fold = fc.constantFrom({}, { ignore_case: true } as const);

const test = (operator: TestCondition["operator"], value: fc.Arbitrary<Pick<TestCondition, "value">>) =>
  fc
    .tuple(field, value, fold)
    .map(([name, given, folds]): Condition => ({ type: "test", field: name, operator, ...given, ...folds }));
const of = <T extends TestCondition["value"]>(values: fc.Arbitrary<T>) => values.map((value) => ({ value }));

/** Any test a rule can have. */
const tests: fc.Arbitrary<Condition> = fc.oneof(
  test("equals", of(scalar)),
  test("not_equals", of(scalar)),
  test("contains", of(scalar)),
  test("glob", of(word)),
  test("matches", of(word)),
  test("in", of(fc.array(scalar, { minLength: 1, maxLength: 4 }))),
  test("exists", fc.constantFrom({}, { value: false })),
  test("gte", of(number)),
  test("runs", of(word)),
  test("dynamic", fc.constant({})),
);

/** Any condition, groups in groups included; a group has two or more parts. */
export const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tests,
    tie("condition").map((condition): Condition => ({ type: "not", condition })),
    fc
      .tuple(
        fc.constantFrom("all" as const, "any" as const),
        fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
      )
      .map(([type, parts]) => group(type, parts)),
  ),
})).condition;

const values: fc.Arbitrary<RuleValue> = fc.letrec<{ value: RuleValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(word, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** Any action of a rule. */
export const actions: fc.Arbitrary<RuleAction> = fc.oneof(
  fc.constant<RuleAction>({ type: "continue" }),
  fc
    .tuple(fc.constantFrom("allow" as const, "ask" as const, "deny" as const, "stop" as const), word)
    .map(([type, text]): RuleAction => ({ type, text })),
  word.filter((text) => text !== "").map((text): RuleAction => ({ type: "context", text })),
  fc.tuple(field, values).map(([name, value]): RuleAction => ({ type: "modify", field: name, value })),
);
