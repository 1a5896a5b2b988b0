const TYPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["string", (value) => typeof value === "string"],
  ["number", (value) => typeof value === "number"],
  ["integer", (value) => Number.isInteger(value)],
  ["boolean", (value) => typeof value === "boolean"],
  ["null", (value) => value === null],
  ["array", (value) => Array.isArray(value)],
  ["object", (value) => typeof value === "object" && value !== null && !Array.isArray(value)],
]);

const LONGEST_SHOWN = 60;

/** True for a value of a type of JSON Schema; a type it does not know fits every value. */
export function isOfType(value: unknown, type: string): boolean {
  return TYPES.get(type)?.(value) ?? true;
}

/** A value in a few words, for a message: short ones as they are, long ones by what they are. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isOfType(value, "object")) return "an object";
  if (typeof value === "string" && value.length > LONGEST_SHOWN)
    return `a text of ${value.length} characters`;
  return JSON.stringify(value) ?? `${typeof value}`;
}
