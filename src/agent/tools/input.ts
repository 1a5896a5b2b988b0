import { TenterhookError } from "../../core/base/errors.ts";

/** The input of a call. It matches the tool's schema; the functions here tell the compiler so. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** The schema of an object with these fields and no others. */
export function inputSchema(
  properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  required: readonly string[],
): Readonly<Record<string, unknown>> {
  return { type: "object", properties, required, additionalProperties: false };
}

/** The schema of a string that must not be empty. */
export function textField(description: string): Readonly<Record<string, unknown>> {
  return { type: "string", minLength: 1, description };
}

/** The schema of a flag that is false by default. */
export function flagField(description: string): Readonly<Record<string, unknown>> {
  return { type: "boolean", default: false, description };
}

/** A call that failed; the model reads the message. */
export function failed(message: string, cause?: unknown): TenterhookError {
  return new TenterhookError("tool_failed", message, { cause });
}

/** Throws when the field is missing, which the schema should have prevented. */
export function textOf(input: ToolInput, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw failed(`${name} must be a string.`);
  return value;
}

export function optionalText(input: ToolInput, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" ? value : undefined;
}

export function optionalNumber(input: ToolInput, name: string): number | undefined {
  const value = input[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function flagOf(input: ToolInput, name: string): boolean {
  return input[name] === true;
}
