import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { type FieldPath, formatFieldPath } from "./field-path.ts";

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
 *
 * @throws HookFailureError `bad_output` when a step leads into a text or number, or past the end of a list.
 */
export function withPath(from: unknown, path: FieldPath, value: unknown): unknown {
  return replacedAt(from, path, 0, value);
}

function replacedAt(from: unknown, path: FieldPath, depth: number, value: unknown): unknown {
  const step = path[depth];
  if (step === undefined) return value;
  if (Array.isArray(from)) {
    if (typeof step !== "number" || step > from.length) {
      throw noSuchPlace(path, depth, `is a list of ${from.length}`);
    }
    return [...from.slice(0, step), replacedAt(from[step], path, depth + 1, value), ...from.slice(step + 1)];
  }
  if (typeof from !== "object" && from !== undefined) throw noSuchPlace(path, depth, `is a ${typeof from}`);
  const inner = replacedAt(readPath(from, [step]), path, depth + 1, value);
  const entries = typeof from === "object" && from !== null ? Object.entries(from) : [];
  return Object.fromEntries([...entries, [String(step), inner]]);
}

function noSuchPlace(path: FieldPath, depth: number, why: string): HookFailureError {
  const whole = formatFieldPath(path);
  return new HookFailureError(
    "bad_output",
    `${whole} can't be set: ${formatFieldPath(path.slice(0, depth))} ${why}.`,
  );
}
