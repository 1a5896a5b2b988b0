import type { FieldPath } from "./field-path.ts";

/** The value at a path: own properties only, `undefined` when any step is missing. */
export function readPath(from: unknown, path: FieldPath): unknown {
  let value = from;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/**
 * The texts a value stands for: a text is itself, a number or boolean its usual spelling, a list what its items are,
 * an object its JSON. Nothing has no text.
 */
export function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textOf(item) ?? []);
  const text = textOf(value);
  return text === undefined ? [] : [text];
}

/** The one text of a value: like {@link textsOf}, but a list is its JSON. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * A copy with the value at a path replaced; missing objects on the way are made, nothing given is changed. In a list
 * a step is a position of it, or the one after its end.
 */
export function withPath(from: unknown, path: FieldPath, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = withPath(readPath(from, [step]), rest, value);
  if (Array.isArray(from) && typeof step === "number" && step <= from.length) {
    return [...from.slice(0, step), inner, ...from.slice(step + 1)];
  }
  const entries = typeof from === "object" && from !== null ? Object.entries(from) : [];
  return Object.fromEntries([...entries, [String(step), inner]]);
}
