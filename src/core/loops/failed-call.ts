import { errorMessage } from "../base/error-text.ts";
import { frozenCopy, isRecord } from "../base/json.ts";
import type { Tool } from "../contracts/tool.ts";

/** Where a result says what went wrong, in the order in which it is looked for. */
const TEXT_FIELDS = ["error", "content", "message"] as const;

/** A tool may report its failure as a result, as tools of other loops do. */
export function isErrorResult(result: unknown): result is Readonly<Record<string, unknown>> {
  return isRecord(result) && (result.is_error === true || result.isError === true);
}

/** What a tool threw or reported, as text. */
export function failureText(error: unknown): string {
  if (!isRecord(error) || error instanceof Error) return errorMessage(error);
  const message = TEXT_FIELDS.map((name) => error[name]).find((value) => value !== undefined) ?? error;
  return typeof message === "string" ? message : JSON.stringify(frozenCopy(message));
}

/**
 * The error with the text that a hook wrote: the same name and stack, and nothing else of the original, which may hold what
 * the hook removed.
 */
export function rewrittenError(thrown: unknown, text: string): Error {
  const error = new Error(text);
  if (!(thrown instanceof Error)) return error;
  const frames = thrown.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  Object.defineProperty(error, "name", { value: thrown.name, configurable: true, writable: true });
  error.stack = [`${thrown.name}: ${text}`, ...frames].join("\n");
  return error;
}

/** The same for a result that says it failed. */
export function rewrittenResult(result: Readonly<Record<string, unknown>>, text: string): unknown {
  const field = TEXT_FIELDS.find((name) => result[name] !== undefined) ?? "content";
  const value = Array.isArray(result[field]) ? [{ type: "text", text }] : text;
  return { ...result, [field]: value };
}

/** Why a tool is not run again, whatever hooks want; `undefined` when it may be. */
export function notReplayed(tool_name: string, replay: Tool["replay"]): string | undefined {
  if (replay === "safe") return undefined;
  return `${tool_name} is not run again (retry): only tools marked replay: "safe" are.`;
}
