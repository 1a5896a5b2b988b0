import { isRecord } from "../../core/base/json.ts";

/*
 * Claude Code takes another result of a tool only in the shape that tool gives, and goes on with the old one otherwise. The
 * shapes are not told to hooks, but each payload has an example of one: the result that is to be replaced.
 */

/** A result that Claude Code takes. */
export interface Fitted {
  readonly output: unknown;
}

/** Texts the model reads. Where a new result leaves one out, there is none: the old one may be what had to go. */
const READ_BY_MODEL: ReadonlySet<string> = new Set(["stdout", "stderr", "content"]);
/** Words that tell one shape from another. */
const OF_THE_SHAPE: ReadonlySet<string> = new Set(["type", "mode", "status"]);

/** The result hooks want in the shape of the one in the payload; `undefined` when it can't be put into it for certain. */
export function fittedOutput(output: unknown, payload: unknown): Fitted | undefined {
  if (!isRecord(payload)) return undefined;
  const { tool_name, tool_response: before } = payload;
  const isMcp = typeof tool_name === "string" && tool_name.startsWith("mcp__");
  if (isMcp && (typeof output === "string" || isContent(output))) return { output };
  return fitted(typeof output === "string" ? placed(output, before) : output, before);
}

/** A text where the model reads it, when the result is of a shape whose place for it we know. */
function placed(text: string, before: unknown): unknown {
  if (!isRecord(before)) return text;
  if (typeof before.stdout === "string") return { stdout: text };
  const { file } = before;
  return isRecord(file) && typeof file.content === "string" ? { file: { content: text } } : text;
}

function fitted(after: unknown, before: unknown): Fitted | undefined {
  if (Array.isArray(after) && Array.isArray(before)) return fittedList(after, before);
  if (isRecord(after) && isRecord(before)) return fittedObject(after, before);
  const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;
  const same = isPlain(after) && isPlain(before) && kindOf(after) === kindOf(before);
  return same ? { output: after } : undefined;
}

function fittedList(after: readonly unknown[], before: readonly unknown[]): Fitted | undefined {
  const output: unknown[] = [];
  for (const [index, item] of after.entries()) {
    const part = fitted(item, index < before.length ? before[index] : before[0]);
    if (part === undefined) return undefined;
    output.push(part.output);
  }
  return { output };
}

function fittedObject(
  after: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Fitted | undefined {
  if (Object.keys(after).some((key) => !Object.hasOwn(before, key))) return undefined;
  const output: [string, unknown][] = [];
  for (const [key, old] of Object.entries(before)) {
    const missing = READ_BY_MODEL.has(key) && typeof old === "string" ? "" : old;
    const part = Object.hasOwn(after, key) ? fitted(after[key], old) : { output: missing };
    if (part === undefined || (OF_THE_SHAPE.has(key) && part.output !== old)) return undefined;
    output.push([key, part.output]);
  }
  return { output: Object.fromEntries(output) };
}

function isContent(output: unknown): boolean {
  return Array.isArray(output) && output.every((block) => isRecord(block) && typeof block.type === "string");
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}
