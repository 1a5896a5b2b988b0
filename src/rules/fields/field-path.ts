import { TenterhookError } from "../../core/base/errors.ts";

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
 * Reads a whole field path. `place` names where it stands, for the message.
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
