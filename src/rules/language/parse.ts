import { didYouMean } from "../../core/base/suggest.ts";
import type { Condition } from "../conditions/condition.ts";
import { formatFieldPath } from "../fields/field-path.ts";
import { operatorNamed } from "../operators/operators.ts";
import { actionRow, isTextAction, RULE_ACTIONS, type Rule, type RuleAction } from "../rule.ts";
import { type Cursor, expected, expectMark, peek, skip, wordOf } from "./cursor.ts";
import { parseCondition } from "./parse-condition.ts";
import { parseValue } from "./parse-value.ts";
import { type LanguageSource, type Token, tokenize } from "./tokenize.ts";

/**
 * Reads rules of the one-line language, one a line; an indented line goes on with the rule above it.
 *
 * @throws TenterhookError `bad_rule` with line, column, what was expected and the line itself.
 */
export function parseRules(source: LanguageSource): readonly Rule[] {
  return splitRules(tokenize(source)).map((tokens) => {
    const cursor: Cursor = { source, tokens, at: 0 };
    refuseIf(cursor);
    const condition = parseCondition(cursor);
    if (peek(cursor)?.shown === "then")
      throw expected(cursor, '"->" and an action', " Write -> instead of then.");
    expectMark(cursor, "->", 'and an action, or "and", "or"');
    const isShadow = wordOf(peek(cursor)) === "shadow";
    if (isShadow) cursor.at += 1;
    const action = parseAction(cursor);
    if (peek(cursor) !== undefined) {
      throw expected(cursor, "the end of the rule", " Each rule starts on a line of its own.");
    }
    const line = tokens[0]?.line;
    return {
      condition,
      action,
      ...(isShadow ? { shadow: true } : {}),
      ...(line === undefined ? {} : { line }),
    };
  });
}

/**
 * Reads one condition, on as many lines as it takes: what `when` holds.
 *
 * @throws TenterhookError `bad_rule` like {@link parseRules}.
 */
export function parseConditionText(source: LanguageSource): Condition {
  const cursor: Cursor = { source, tokens: tokenize(source), at: 0 };
  const condition = parseCondition(cursor);
  if (peek(cursor) !== undefined) throw expected(cursor, '"and", "or" or the end of the condition');
  return condition;
}

/** A field may be called so, but it is followed by an operator. */
function refuseIf(cursor: Cursor): void {
  const [first, next] = cursor.tokens;
  const isField =
    next?.kind === "mark" ? next.shown !== "(" : operatorNamed(wordOf(next) ?? "") !== undefined;
  if (!["if", "when", "unless"].includes(wordOf(first) ?? "") || isField) return;
  throw expected(
    cursor,
    "a condition",
    ` A rule has no ${first?.shown}: write it as condition -> action, such as command runs "rm" -> deny("No.").`,
  );
}

function splitRules(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const rules: Token[][] = [];
  for (const token of tokens) {
    if (token.startsRule) rules.push([token]);
    else rules.at(-1)?.push(token);
  }
  return rules;
}

function parseText(cursor: Cursor): string {
  const token = peek(cursor);
  if (token?.kind !== "text") throw expected(cursor, "a string in quotes");
  cursor.at += 1;
  return token.value;
}

/** Reads what is between the parentheses of each action. */
const ACTIONS: ReadonlyMap<string, (cursor: Cursor) => RuleAction> = new Map([
  ["continue", (): RuleAction => ({ type: "continue" })],
  ["set", parseSet],
  ...Object.keys(RULE_ACTIONS)
    .filter(isTextAction)
    .map((type): [string, (cursor: Cursor) => RuleAction] => [
      type,
      (cursor) => ({
        type,
        text: !actionRow(type).needs_text && peek(cursor)?.shown === ")" ? "" : parseText(cursor),
      }),
    ]),
]);

function parseAction(cursor: Cursor): RuleAction {
  const name = wordOf(peek(cursor));
  const parse = ACTIONS.get(name ?? "");
  if (parse === undefined) throw expected(cursor, "an action", actionHelp(name));
  cursor.at += 1;
  expectMark(cursor, "(", `after ${name}`);
  const action = parse(cursor);
  expectMark(cursor, ")", "that ends the action");
  return action;
}

function actionHelp(name: string | undefined): string {
  if (name === "modify") return " In one line a field is changed with set(field, value).";
  const near = name === undefined ? "" : didYouMean(name, ACTIONS.keys());
  return near === "" ? ` Actions: ${[...ACTIONS.keys()].join(", ")}.` : near;
}

function parseSet(cursor: Cursor): RuleAction {
  const token = peek(cursor);
  if (token?.kind !== "word") throw expected(cursor, "the field to set, such as args.command");
  cursor.at += 1;
  if (!skip(cursor, ",")) throw expected(cursor, '"," and the new value');
  return { type: "modify", field: formatFieldPath(token.path), value: parseValue(cursor) };
}
