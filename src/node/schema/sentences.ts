import type { OutputUnit } from "@cfworker/json-schema";
import { isRecord, listOf } from "../../core/base/json.ts";

export const OTHER_PROPERTIES = new Set(["additionalProperties", "unevaluatedProperties"]);

/** Keywords that limit a number, or how many there are of something. */
const LIMITS: ReadonlyMap<string, readonly [words: string, unit?: string]> = new Map([
  ["minimum", ["must be at least"]],
  ["maximum", ["must be at most"]],
  ["exclusiveMinimum", ["must be more than"]],
  ["exclusiveMaximum", ["must be less than"]],
  ["multipleOf", ["must be a multiple of"]],
  ["minLength", ["must have at least", "character"]],
  ["maxLength", ["must have at most", "character"]],
  ["minItems", ["must have at least", "item"]],
  ["maxItems", ["must have at most", "item"]],
  ["minProperties", ["must have at least", "field"]],
  ["maxProperties", ["must have at most", "field"]],
]);

const LONGEST_SHOWN = 60;

/**
 * An error of the library for people and models: the place in the input, what was expected, and what is there.
 *
 * @param schema the one with the keyword that does not hold.
 */
export function sentenceOf(
  { keyword, instanceLocation, error }: OutputUnit,
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
): string {
  const wanted = schema[keyword];
  // Some errors are about a field that the library only names in its words.
  const [, field = ""] = /"(.*)"/s.exec(error) ?? [];
  const sentence = (problem: string, ...more: readonly string[]): string =>
    `${placeOf([...parts(instanceLocation), ...more])} ${problem}.`;
  const limit = LIMITS.get(keyword);
  if (limit !== undefined) {
    const [words, unit] = limit;
    if (unit === undefined) return sentence(`${words} ${wanted}, but is ${describe(value)}`);
    return sentence(`${words} ${wanted} ${unit}${wanted === 1 ? "" : "s"}, but has ${sizeOf(value)}`);
  }
  switch (keyword) {
    case "type":
      return sentence(
        `must be ${Array.isArray(wanted) ? wanted.join(" or ") : String(wanted)}, but is ${describe(value)}`,
      );
    case "enum":
    case "const": {
      const list = (keyword === "enum" ? listOf(wanted) : [wanted]).map((one) => JSON.stringify(one));
      const words = list.length > 1 ? "one of " : "";
      return sentence(`must be ${words}${list.join(", ")}, but is ${describe(value)}`);
    }
    case "required":
      return sentence("is missing", field);
    case "dependentRequired":
    case "dependencies":
      return sentence("is missing", /does not have "(.*)"\.$/s.exec(error)?.[1] ?? field);
    case "additionalProperties":
    case "unevaluatedProperties": {
      const known = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
      return sentence(`is no field; there are ${known.join(", ") || "none"}`, field);
    }
    case "anyOf":
      return sentence(`fits none of the ${listOf(wanted).length} forms it can have`);
    case "oneOf":
      return sentence(`must fit exactly one of the ${listOf(wanted).length} forms it can have`);
    case "pattern":
      return sentence(`must match ${wanted}, but is ${describe(value)}`);
    case "not":
      return sentence(`must not be what it is: ${JSON.stringify(wanted).slice(0, 100)}`);
    case "false":
      return sentence("is not allowed");
    default:
      return sentence(`does not fit: ${error.replace(/\.$/, "")}`);
  }
}

/** The names in a JSON pointer. */
export function parts(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A place in the input, as `todos[0].status`. */
function placeOf(names: readonly string[]): string {
  const place = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join("");
  return place === "" ? "The input" : place.replace(/^\./, "");
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return [...value].length;
  return isRecord(value) ? Object.keys(value).length : listOf(value).length;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return "an object";
  if (typeof value === "string" && value.length > LONGEST_SHOWN)
    return `a string of ${value.length} characters`;
  return JSON.stringify(value) ?? typeof value;
}
