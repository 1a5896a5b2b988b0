import { isRecord } from "../../../core/base/json.ts";
import { checkInput } from "../../../node/schema/check-input.ts";
import { type JsonSchema, type ReadSchema, readSchema } from "../../../shared/contracts/schema.ts";

export interface OutputFormat extends Pick<ReadSchema, "check"> {
  /** As providers want it: its objects have no other properties. */
  readonly schema: JsonSchema;
  /** True when every property is required, which OpenAI's strict mode demands. */
  readonly strict: boolean;
}

export interface TurnOutput {
  readonly format: OutputFormat;
  /** True once the model knows the schema. */
  notified: boolean;
  /** How many answers did not fit. */
  failures: number;
}

/**
 * Reads the option `output`.
 *
 * @throws TenterhookError `invalid_option`.
 */
export function readFormat(output: unknown, method: string): OutputFormat | undefined {
  if (output === undefined) return undefined;
  const { json_schema, check } = readSchema(output, `${method}: output`, checkInput);
  const { $schema: _, ...schema } = closed(json_schema);
  return { schema, strict: isStrict(schema), check };
}

/** Closes objects that say nothing about other properties. */
function closed(schema: JsonSchema): JsonSchema {
  const parts = Object.entries(schema).map(([key, value]) => [key, closedPart(value, key)] as const);
  const whole = Object.fromEntries(parts);
  return isRecord(schema.properties) && schema.additionalProperties === undefined
    ? { ...whole, additionalProperties: false }
    : whole;
}

/** Keywords whose value is data and no schema. */
const DATA: readonly string[] = ["const", "enum", "default", "examples", "required"];

/** Keywords whose values are schemas by name. */
const BY_NAME: readonly string[] = ["properties", "$defs", "definitions", "patternProperties"];

function closedPart(value: unknown, key: string): unknown {
  if (DATA.includes(key)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (isRecord(item) ? closed(item) : item));
  if (!isRecord(value)) return value;
  if (!BY_NAME.includes(key)) return closed(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isRecord(part) ? closed(part) : part]),
  );
}

function isStrict(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isStrict);
  if (!isRecord(value)) return true;
  const { properties, required, additionalProperties } = value;
  if (isRecord(properties)) {
    const names: readonly unknown[] = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !Object.keys(properties).every((name) => names.includes(name)))
      return false;
  } else if (value.type === "object") return false;
  return Object.entries(value).every(([key, part]) => DATA.includes(key) || isStrict(part));
}
