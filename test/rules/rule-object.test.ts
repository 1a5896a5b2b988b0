import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRules } from "../../src/rules/language/parse.ts";
import { printRule } from "../../src/rules/language/print.ts";
import { readCondition } from "../../src/rules/objects/condition-object.ts";
import { readExamples, readRules } from "../../src/rules/objects/rule-object.ts";
import { runs } from "../support/long.ts";
import { actions, conditions } from "./arbitraries.ts";
import { conditionObject, ruleObject } from "./support/rule-objects.ts";

const read = (item: unknown) => readRules([item], '"h"');

describe("the YAML spelling of rules", () => {
  it("reads a test with its action", () => {
    const rule = {
      field: "args.command",
      operator: "regex",
      value: "^rm",
      case: "insensitive",
      action: "deny",
      reason: "No",
    };
    expect(read(rule)).toEqual([
      {
        condition: {
          type: "test",
          field: "args.command",
          operator: "matches",
          value: "^rm",
          ignore_case: true,
        },
        action: { type: "deny", text: "No" },
      },
    ]);
  });

  it("reads groups, one-line texts inside them, and modify", () => {
    const rule = {
      all: ['tool equals "Bash"', { not: { field: "args.x", operator: "exists" } }],
      action: "modify",
      modify_field: "args.x",
      modify_value: { deep: [1, "{{tool}}"] },
    };
    expect(read(rule).map(printRule)).toEqual([
      'tool equals "Bash" and not args.x exists -> set(args.x, {"deep":[1,"{{tool}}"]})',
    ]);
  });

  it("takes a one-line rule as an item of the list", () => {
    expect(read('a exists -> deny("x")').map(printRule)).toEqual(['a exists -> deny("x")']);
  });

  it.each([
    [
      { field: "a", operator: "contans", value: "x", action: "deny" },
      'rule 1 of "h": unknown operator "contans". Did you mean "contains"?',
    ],
    [
      { field: "a", operator: "equals", action: "deny" },
      '"equals" takes a string, a number, true or false, found nothing',
    ],
    [{ field: "a", operator: "in", value: "x", action: "deny" }, '"in" takes a list'],
    [{ field: "a b", operator: "exists", action: "deny" }, '"a b" is no field'],
    [{ field: "a", operator: "exists", acton: "deny" }, 'unknown key "acton". Did you mean "action"?'],
    [
      { field: "a", operator: "exists" },
      '"action" must be one of continue, allow, ask, deny, context, stop, retry, answer, keep_going, modify',
    ],
    [{ field: "a", operator: "exists", action: "denyy" }, 'unknown action "denyy". Did you mean "deny"?'],
    [{ field: "a", operator: "exists", action: "modify" }, 'the action modify needs "modify_field"'],
    [{ field: "a", operator: "exists", action: "context" }, "the action context needs its text"],
    [
      { field: "a", operator: "exists", case: "no", action: "deny" },
      '"case" is "insensitive" or "sensitive", found "no"',
    ],
    [{ all: [], action: "deny" }, '"all" needs a list of conditions'],
    [{ all: ["a exists"], field: "b", action: "deny" }, '"field" can\'t be used next to "all"'],
    [
      { any: [{ field: "a", operator: "zzz" }], action: "deny" },
      'rule 1 of "h", any[0]: unknown operator "zzz"',
    ],
    [5, "expected a rule"],
  ])("says what is wrong with %j", (rule, message) => {
    expect(() => read(rule)).toThrow(message);
  });

  it("reads examples and refuses anything else", () => {
    expect(readExamples([{ match: "ls" }, { not_match: { tool_name: "Read" } }], '"h"')).toEqual([
      { match: "ls" },
      { not_match: { tool_name: "Read" } },
    ]);
    expect(() => readExamples([{ mtch: "ls" }], '"h"')).toThrow('In "h", example 1: expected { match: … }');
  });

  it("is printed so that it reads back the same, and so does the one-line spelling of it", () => {
    fc.assert(
      fc.property(conditions, actions, (condition, action) => {
        expect(readCondition(conditionObject(condition), "when")).toEqual(condition);
        const object = ruleObject({ condition, action });
        const [fromObject] = read(object);
        expect(fromObject).toEqual({ condition, action });
        const [fromText] = parseRules({ text: printRule({ condition, action }), name: "it" });
        expect(fromText === undefined ? undefined : ruleObject(fromText)).toEqual(object);
      }),
      { numRuns: runs(100) },
    );
  });
});
