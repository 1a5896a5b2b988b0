import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConditionText, parseRules } from "../../src/rules/language/parse.ts";
import { printCondition, printRule } from "../../src/rules/language/print.ts";
import { runs } from "../support/long.ts";
import { actions, conditions } from "./arbitraries.ts";

const parse = (text: string) => parseRules({ text, name: 'the rules of "h"' });

describe("the one-line language", () => {
  it("reads the rules of the specification", () => {
    const rules = parse(`args.command runs "rm -r -f" -> deny("Recursive delete blocked")
args.command runs "git push --force" and not args.command contains "--force-with-lease" -> ask("Force push?")
tool equals "write_file" and path glob "*.py" -> continue()
`);
    expect(rules).toEqual([
      {
        condition: { type: "test", field: "args.command", operator: "runs", value: "rm -r -f" },
        action: { type: "deny", text: "Recursive delete blocked" },
        line: 1,
      },
      {
        condition: {
          type: "all",
          conditions: [
            { type: "test", field: "args.command", operator: "runs", value: "git push --force" },
            {
              type: "not",
              condition: {
                type: "test",
                field: "args.command",
                operator: "contains",
                value: "--force-with-lease",
              },
            },
          ],
        },
        action: { type: "ask", text: "Force push?" },
        line: 2,
      },
      {
        condition: {
          type: "all",
          conditions: [
            { type: "test", field: "tool", operator: "equals", value: "write_file" },
            { type: "test", field: "path", operator: "glob", value: "*.py" },
          ],
        },
        action: { type: "continue" },
        line: 3,
      },
    ]);
  });

  it("binds and tighter than or, and not tightest", () => {
    const condition = parseConditionText({ text: "a exists or b exists and not c exists", name: "when" });
    expect(condition).toEqual({
      type: "any",
      conditions: [
        { type: "test", field: "a", operator: "exists" },
        {
          type: "all",
          conditions: [
            { type: "test", field: "b", operator: "exists" },
            { type: "not", condition: { type: "test", field: "c", operator: "exists" } },
          ],
        },
      ],
    });
  });

  it.each([
    [`a equals "tab\\tend"`, "equals", "tab\tend", false],
    [`a matches "\\\\s"`, "matches", "\\s", false],
    [`a matches '\\s"x'`, "matches", '\\s"x', false],
    [`a matches /^rm\\s+\\/tmp/`, "matches", "^rm\\s+/tmp", false],
    [`a regex /rm/i`, "matches", "rm", true],
    [`a equals "X" ignoring case`, "equals", "X", true],
    [`a gt -1.5e3`, "gt", -1500, false],
    [`a equals true`, "equals", true, false],
    [`a in ["x", 2, false]`, "in", ["x", 2, false], false],
  ])("reads the value of %s", (text, operator, value, folds) => {
    expect(parseConditionText({ text, name: "when" })).toEqual({
      type: "test",
      field: "a",
      operator,
      value,
      ...(folds ? { ignore_case: true } : {}),
    });
  });

  it("goes on with a rule on an indented line and skips comments and blank lines", () => {
    const rules = parse(`  # house rules
  a exists # why
    and b exists

      -> deny("no") # done
  c exists -> stop()`);
    expect(rules.map((rule) => [rule.line, printRule(rule)])).toEqual([
      [2, 'a exists and b exists -> deny("no")'],
      [6, "c exists -> stop()"],
    ]);
  });

  it.each([
    [
      'args.command contans "x" -> deny("no")',
      'line 1, column 14: expected an operator, found contans. Did you mean "contains"?',
    ],
    [
      'a equals x -> deny("no")',
      'line 1, column 10: expected a string, a number, true or false after "equals", found x.',
    ],
    ['a gt "5" -> deny()', 'line 1, column 6: expected a number after "gt", found "5".'],
    [
      'a equals "x" deny("no")',
      'line 1, column 14: expected "->" and an action, or "and", "or", found deny.',
    ],
    ['a equals "x" -> dney("no")', 'line 1, column 17: expected an action, found dney. Did you mean "deny"?'],
    ['a equals "x" -> deny("no', "line 1, column 22: this text is not closed"],
    ['a equals "\\s" -> deny()', "line 1, column 10: this text has an escape JSON does not know"],
    ["(a exists or b exists -> deny()", 'line 1, column 23: expected ")" that closes the "(", found ->.'],
    ['a exists -> deny("x") b', "line 1, column 23: expected the end of the rule, found b."],
    ["a not contains 3 -> deny()", 'expected an operator, found not. Put "not" before the field.'],
    ["a equals /x/ -> deny()", "Only matches takes a regular expression."],
    [
      'call contains "x" -> deny()',
      '"call" can be asked runs, reads, writes, connects, dynamic, not contains',
    ],
    ["a exists -> modify(b, 1)", "set(field, value)"],
    ["a exists -> context()", "expected a string in quotes, found )."],
    ["a exists ~ b", 'unexpected "~"'],
    ["a exists", 'column 9: expected "->" and an action, or "and", "or", found the end of the rule.'],
  ])("says what is wrong with %s", (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it("shows the line with a caret under the column", () => {
    expect(() => parse('a exists -> deny()\nargs.x contans "y" -> deny()')).toThrow(
      'In the rules of "h", line 2, column 8: expected an operator, found contans. Did you mean "contains"?\n' +
        '  args.x contans "y" -> deny()\n' +
        "         ^",
    );
  });

  it("prints what it reads back as the same rule", () => {
    fc.assert(
      fc.property(conditions, actions, (condition, action) => {
        const [rule] = parse(printRule({ condition, action }));
        expect(rule).toEqual({ condition, action, line: 1 });
        expect(parseConditionText({ text: printCondition(condition), name: "when" })).toEqual(condition);
      }),
      { numRuns: runs(100) },
    );
  });
});
