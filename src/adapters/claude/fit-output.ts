import { isRecord } from "../../core/base/json.ts";

/*
 * Claude Code accepts a new tool result only in the shape of that tool's results; otherwise it keeps the old one. It
 * does not tell hooks the shapes, but each payload has an example: the result that is to be replaced.
 */

export interface Fitted {
  readonly output: unknown;
}

/** Fields the model reads. When the new result leaves one out, it is emptied: the old text may be what had to go. */
const READ_BY_MODEL: ReadonlySet<string> = new Set(["stdout", "stderr", "content"]);
/** Fields whose value tells one shape from another. */
const OF_THE_SHAPE: ReadonlySet<string> = new Set(["type", "mode", "status"]);

/** Puts a result into the shape of the payload's result; `undefined` when that is not certain to work. */
export function fittedOutput(output: unknown, payload: unknown): Fitted | undefined {
  if (!isRecord(payload)) return undefined;
  const { tool_name, tool_response: before } = payload;
  const isMcp = typeof tool_name === "string" && tool_name.startsWith("mcp__");
  if (isMcp && (typeof output === "string" || isContent(output))) return { output };
  return fitted(typeof output === "string" ? placed(output, before) : output, before);
}

/** Puts a string where the model reads it, when we know the place in this shape. */
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
