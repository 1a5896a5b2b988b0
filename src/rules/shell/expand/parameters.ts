import type { ParameterExpansionPart, Word } from "unbash";
import { compileGlob } from "../../../core/match/glob.ts";
import { isSecretWhenPrinted } from "../judge/secret-names.ts";
import type { Frame } from "../state/frame.ts";
import { assign, isSet, joinsOtherwise, type Scope, variableValue } from "../state/scope.ts";
import { isKnown, unknown } from "../words/text.ts";

const LONGEST_CUT = 512;

/** The value of `${…}` as partly known text; `expand` returns the text of a word inside it. */
export function expandParameter(
  part: ParameterExpansionPart,
  frame: Frame,
  expand: (word: Word) => string,
): string {
  const { scope } = frame;
  const { parameter, operation } = part;
  // The shell expands the words inside in any case, so that is done first.
  const index = part.index === undefined ? undefined : expand(part.index);
  const operands = operation === undefined ? [] : operandsOf(operation).map(expand);
  // `${(e)x}` of zsh runs the value.
  if (/^\$\{\([^)]*[e%]/.test(part.text)) frame.walk.dynamic = true;
  const elements = scope.tables.arrays.get(parameter);
  if (part.prefix === "!") return indirect(part, scope);
  if (part.prefix === "#") return unknown(part.text);
  if (operation === undefined && index !== undefined) {
    if (index === "*" && joinsOtherwise(scope)) return unknown(part.text);
    if (index === "@" || index === "*")
      return elements === undefined ? unknown(part.text) : elements.join(" ");
    return elements?.[Number(index)] ?? unknown(part.text);
  }
  if (operation === undefined) return variableValue(scope, parameter, part.text);
  const [first = ""] = operands;
  // The value is expanded once more, as a prompt is.
  if (operation.type === "Transform" && first.includes("P")) frame.walk.dynamic = true;
  if (index !== undefined) return unknown(part.text);
  if (operation.type === "Default") return withDefault(part, operation, scope, first);
  const value = variableValue(scope, parameter, part.text);
  // Of all arguments some are taken, or each is changed.
  if (!isKnown(value) || parameter === "@" || parameter === "*") return unknown(part.text);
  switch (operation.type) {
    case "Remove":
      return remove(value, operation.operator, first) ?? unknown(part.text);
    case "CaseModification":
      return operation.operand === undefined ? changeCase(value, operation.operator) : unknown(part.text);
    default:
      return unknown(part.text);
  }
}

/** The words inside of an operation, in the order in which they are written. */
function operandsOf(operation: Operation): readonly Word[] {
  switch (operation.type) {
    case "Slice":
      return operation.length === undefined ? [operation.offset] : [operation.offset, operation.length];
    case "Replace":
      return [operation.pattern, operation.replacement];
    case "CaseModification":
      return operation.operand === undefined ? [] : [operation.operand];
    case "Default":
    case "Remove":
    case "Transform":
      return [operation.operand];
    case "Names":
    case "Unknown":
      return [];
    default:
      return operation satisfies never;
  }
}

function indirect(part: ParameterExpansionPart, scope: Scope): string {
  const name = variableValue(scope, part.parameter, part.text);
  return isKnown(name) && part.operation === undefined
    ? variableValue(scope, name, `$${name}`)
    : unknown(part.text);
}

type Operation = NonNullable<ParameterExpansionPart["operation"]>;
type DefaultOperation = Extract<Operation, { type: "Default" }>;

function withDefault(
  part: ParameterExpansionPart,
  operation: DefaultOperation,
  scope: Scope,
  fallback: string,
): string {
  const set = isSet(scope, part.parameter);
  switch (operation.operator) {
    case "+":
    case ":+":
      return fallback;
    case "?":
    case ":?":
      return variableValue(scope, part.parameter, part.text);
    default: {
      // A variable the line did not set may be empty when it runs: the fallback is what must be reckoned with.
      if (!set && isSecretWhenPrinted(part.parameter)) return unknown(part.text);
      const value = set ? variableValue(scope, part.parameter, part.text) : fallback;
      // Also without the colon: an empty value may be that of a variable that was unset.
      const result = value === "" ? fallback : value;
      if (operation.operator.endsWith("=") && !set) assign(scope, part.parameter, result);
      return result;
    }
  }
}

/** `${x#prefix}` and `${x%suffix}`: the shortest cut that fits, or with `##` and `%%` the longest. */
function remove(value: string, operator: string, pattern: string): string | undefined {
  if (value.length > LONGEST_CUT) return undefined;
  const fits = pathless(pattern);
  if (fits === undefined) return undefined;
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
  if (operator.length === 2) lengths.reverse();
  const front = operator.startsWith("#");
  const cut = lengths.find((length) =>
    fits(front ? value.slice(0, length) : value.slice(value.length - length)),
  );
  if (cut === undefined) return value;
  return front ? value.slice(cut) : value.slice(0, value.length - cut);
}

function pathless(pattern: string): ((text: string) => boolean) | undefined {
  try {
    return compileGlob(pattern, { kind: "text" });
  } catch {
    return undefined;
  }
}

function changeCase(value: string, operator: string): string {
  const change = operator.startsWith("^")
    ? (text: string) => text.toUpperCase()
    : (text: string) => text.toLowerCase();
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}
