import { TenterhookError } from "../core/base/errors.ts";

/** The input of a call. It fits the tool's schema; the readers here tell the compiler so. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** The schema of an input: an object with these fields and no others. */
export function inputSchema(
  properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  required: readonly string[],
): Readonly<Record<string, unknown>> {
  return { type: "object", properties, required, additionalProperties: false };
}

/** A call that failed; the message is what the model reads. */
export function failed(message: string, cause?: unknown): TenterhookError {
  return new TenterhookError("tool_failed", message, cause === undefined ? {} : { cause });
}

/** A text of the input. Throws when it is missing, which the schema should have prevented. */
export function textOf(input: ToolInput, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw failed(`${name} must be a text.`);
  return value;
}

/** A text of the input, when it is there. */
export function optionalText(input: ToolInput, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" ? value : undefined;
}

/** A number of the input, when it is there. */
export function optionalNumber(input: ToolInput, name: string): number | undefined {
  const value = input[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** True when the input says so. */
export function flagOf(input: ToolInput, name: string): boolean {
  return input[name] === true;
}
