import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { type Condition, group } from "../conditions/condition.ts";
import { formatFieldPath, parseFieldPath } from "../fields/field-path.ts";
import { parseConditionText } from "../language/parse.ts";
import {
  expectedValue,
  fieldProblem,
  OPERATORS,
  operatorNamed,
  operatorSpellings,
  takesValue,
} from "../operators/operators.ts";

const TEST_KEYS = ["field", "operator", "value", "case"];
const GROUP_KEYS = ["all", "any", "not"] as const;
const DEEPEST = 64;

/**
 * Reads a condition as a configuration file holds it: an object, or a string in the one-line language. `place` names it
 * in messages: `rule 2 of "shell-policy"`. Keys in `ownKeys` belong to whatever the condition is part of.
 *
 * @throws TenterhookError `bad_rule` that says what is wrong, where, and what was expected.
 */
export function readCondition(
  spec: unknown,
  place: string,
  ownKeys: readonly string[] = [],
  depth = 0,
): Condition {
  if (typeof spec === "string") return parseConditionText({ text: spec, name: place });
  if (!isRecord(spec))
    throw bad(place, `expected a condition { field, operator, value }, found ${shown(spec)}`);
  if (depth > DEEPEST) throw bad(place, `conditions are nested deeper than ${DEEPEST}`);
  const kind = GROUP_KEYS.find((key) => Object.hasOwn(spec, key));
  checkKeys(spec, ownKeys, place, kind);
  if (kind === undefined) return readTest(spec, place);
  if (kind === "not") {
    return { type: "not", condition: readCondition(spec.not, `${place}, not`, [], depth + 1) };
  }
  const list = spec[kind];
  if (!Array.isArray(list) || list.length === 0) throw bad(place, `"${kind}" needs a list of conditions`);
  return group(
    kind,
    list.map((item, at) => readCondition(item, `${place}, ${kind}[${at}]`, [], depth + 1)),
  );
}

export function bad(place: string, problem: string): TenterhookError {
  return new TenterhookError("bad_rule", `In ${place}: ${problem}.`);
}

/** A value for a message: short, as JSON. */
export function shown(value: unknown): string {
  return value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value).slice(0, 80);
}

function checkKeys(
  spec: Readonly<Record<string, unknown>>,
  ownKeys: readonly string[],
  place: string,
  kind: string | undefined,
): void {
  for (const key of Object.keys(spec)) {
    if (kind === undefined ? TEST_KEYS.includes(key) : key === kind) continue;
    if (!ownKeys.includes(key))
      throw unknownKey(key, [...(kind === undefined ? TEST_KEYS : [kind]), ...ownKeys], place, kind);
  }
}

function unknownKey(key: string, known: readonly string[], place: string, kind: string | undefined) {
  if (kind !== undefined && [...TEST_KEYS, ...GROUP_KEYS].includes(key)) {
    return bad(place, `"${key}" can't be used next to "${kind}"; put it into a list under "all" or "any"`);
  }
  const near = didYouMean(key, known);
  return bad(place, `unknown key ${JSON.stringify(key)}.${near} Known are ${known.join(", ")}`);
}

function readTest(spec: Readonly<Record<string, unknown>>, place: string): Condition {
  const { field, operator: word, value } = spec;
  if (typeof field !== "string")
    throw bad(place, `"field" must be a string such as args.command, found ${shown(field)}`);
  if (typeof word !== "string") throw bad(place, `"operator" must be a string, found ${shown(word)}`);
  const operator = operatorNamed(word);
  if (operator === undefined) {
    const near = didYouMean(word, operatorSpellings());
    const known = `Operators are ${Object.keys(OPERATORS).join(", ")}`;
    throw bad(place, `unknown operator ${JSON.stringify(word)}.${near} ${known}`);
  }
  const name = formatFieldPath(parseFieldPath(field, place));
  const problem = fieldProblem(name, operator);
  if (problem !== undefined) throw bad(place, problem);
  if (!takesValue(operator, value)) {
    throw bad(place, `"${operator}" takes ${expectedValue(operator)}, found ${shown(value)}`);
  }
  const given = value === undefined || (operator === "exists" && value === true) ? {} : { value };
  const fold = ignoresCase(spec.case, place) ? ({ ignore_case: true } as const) : {};
  return { type: "test", field: name, operator, ...given, ...fold };
}

function ignoresCase(spec: unknown, place: string): boolean {
  if (spec === undefined || spec === "sensitive") return false;
  if (spec === "insensitive") return true;
  throw bad(place, `"case" is "insensitive" or "sensitive", found ${shown(spec)}`);
}
