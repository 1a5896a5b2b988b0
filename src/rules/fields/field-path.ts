import { TenterhookError } from "../../core/base/errors.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";

/** The way to a value inside an event: names of fields and positions in lists. */
export type FieldPath = readonly (string | number)[];

const NAME = /[A-Za-z_$][\w$]*(?:-(?!>)[\w$]+)*/y;
const POSITION = /\[(0|[1-9]\d{0,8})\]/y;
const QUOTED = /\[("(?:[^"\\]|\\.)*")\]/y;
const PLAIN_NAME = /^[A-Za-z_$][\w$]*(?:-[\w$]+)*$/;

/**
 * Reads the path that starts at `start`: `tool_calls[0].tool_name`, `args["odd key"]`. Returns the path and where it
 * ends, or `undefined` when no path starts there.
 */
export function scanFieldPath(
  text: string,
  start: number,
): { readonly path: FieldPath; readonly end: number } | undefined {
  const first = at(NAME, text, start);
  if (first === undefined) return undefined;
  const path: (string | number)[] = [first];
  let end = start + first.length;
  for (;;) {
    const name = text[end] === "." ? at(NAME, text, end + 1) : undefined;
    const position = at(POSITION, text, end);
    const quoted = at(QUOTED, text, end);
    if (name !== undefined) {
      path.push(name);
      end += name.length + 1;
    } else if (position !== undefined) {
      path.push(Number(position.slice(1, -1)));
      end += position.length;
    } else if (quoted !== undefined) {
      const key = quotedKey(quoted.slice(1, -1));
      if (key === undefined) return { path, end };
      path.push(key);
      end += quoted.length;
    } else {
      return { path, end };
    }
  }
}

/**
 * Reads a whole field path. `place` is for the message.
 *
 * @throws TenterhookError `bad_rule` when the text is no path.
 */
export function parseFieldPath(text: string, place?: string): FieldPath {
  const scanned = scanFieldPath(text, 0);
  if (scanned === undefined || scanned.end !== text.length) {
    throw new TenterhookError(
      "bad_rule",
      `${place === undefined ? "" : `In ${place}: `}${JSON.stringify(text)} is no field: expected a path such as args.command, tool_calls[0].tool_name or args["odd key"].`,
    );
  }
  return scanned.path;
}

/** The one spelling of a path: `parseFieldPath(formatFieldPath(path))` is `path` again. */
export function formatFieldPath(path: FieldPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!PLAIN_NAME.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}

function at(pattern: RegExp, text: string, start: number): string | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
}

function quotedKey(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined;
  }
}

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
 * The texts of a value: a string itself, the usual spelling of a number or boolean, the texts of the items of a list, the
 * JSON of an object. A missing value has none.
 */
export function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textOf(item) ?? []);
  const text = textOf(value);
  return text === undefined ? [] : [text];
}

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
