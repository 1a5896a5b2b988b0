import { didYouMean } from "../../core/base/suggest.ts";
import { type Condition, group } from "../conditions/condition.ts";
import { formatFieldPath } from "../fields/field-path.ts";
import {
  expectedValue,
  fieldProblem,
  OPERATORS,
  type OperatorName,
  operatorNamed,
  operatorSpellings,
  takesValue,
} from "../operators/operators.ts";
import { type Cursor, expected, expectMark, peek, skip, wordOf } from "./cursor.ts";
import { parseValue, valueStarts } from "./parse-value.ts";
import { languageError } from "./tokenize.ts";

const RESERVED = new Set(["and", "or", "not"]);
const DEEPEST = 64;

/** Reads a condition: tests joined by `and`, `or`, `not` and parentheses; `and` binds tighter than `or`. */
export function parseCondition(cursor: Cursor, depth = 0): Condition {
  return parseJoined(cursor, "or", depth);
}

function parseJoined(cursor: Cursor, joiner: "and" | "or", depth: number): Condition {
  const parse = () => (joiner === "or" ? parseJoined(cursor, "and", depth) : parseUnary(cursor, depth));
  const conditions = [parse()];
  while (skip(cursor, joiner)) conditions.push(parse());
  return group(joiner === "or" ? "any" : "all", conditions);
}

function parseUnary(cursor: Cursor, depth: number): Condition {
  if (depth > DEEPEST) throw expected(cursor, `a condition nested at most ${DEEPEST} deep`);
  if (skip(cursor, "not")) return { type: "not", condition: parseUnary(cursor, depth + 1) };
  if (skip(cursor, "(")) {
    const condition = parseCondition(cursor, depth + 1);
    expectMark(cursor, ")", 'that closes the "("');
    return condition;
  }
  return parseTest(cursor);
}

function parseTest(cursor: Cursor): Condition {
  const token = peek(cursor);
  if (token?.kind !== "word" || RESERVED.has(token.shown)) {
    throw expected(cursor, 'a field such as args.command, "not" or "("');
  }
  cursor.at += 1;
  const field = formatFieldPath(token.path);
  const operator = parseOperator(cursor);
  const problem = fieldProblem(field, operator);
  if (problem !== undefined) throw languageError(cursor.source, token, problem);
  return { type: "test", field, operator, ...parseOperand(cursor, operator) };
}

function parseOperator(cursor: Cursor): OperatorName {
  const token = peek(cursor);
  const name = token?.kind === "mark" ? token.shown : wordOf(token);
  const operator = name === undefined ? undefined : operatorNamed(name);
  if (operator === undefined) throw expected(cursor, "an operator", operatorHelp(name));
  cursor.at += 1;
  return operator;
}

function operatorHelp(name: string | undefined): string {
  if (name === "not") return ' Put "not" before the field.';
  const near = name === undefined ? "" : didYouMean(name, operatorSpellings());
  return near === "" ? ` Operators: ${Object.keys(OPERATORS).join(", ")}.` : near;
}

function parseOperand(cursor: Cursor, operator: OperatorName) {
  const token = peek(cursor);
  const wanted = `${expectedValue(operator)} after "${operator}"`;
  if (!valueStarts(cursor)) {
    if (!takesValue(operator, undefined)) throw expected(cursor, wanted);
    return ignoringCase(cursor) ? ({ ignore_case: true } as const) : {};
  }
  if (token?.kind === "regex" && operator !== "matches") {
    throw expected(cursor, wanted, " Only matches takes a regular expression.");
  }
  const value: unknown = parseValue(cursor, wanted);
  if (!takesValue(operator, value)) throw expected(cursor, wanted, "", token);
  const fold = (token?.kind === "regex" && token.ignoreCase) || ignoringCase(cursor);
  const given = value === undefined || (operator === "exists" && value === true) ? {} : { value };
  return fold ? ({ ...given, ignore_case: true } as const) : given;
}

function ignoringCase(cursor: Cursor): boolean {
  if (!skip(cursor, "ignoring")) return false;
  if (!skip(cursor, "case")) throw expected(cursor, '"case" after "ignoring"');
  return true;
}
