import { capText } from "./text.ts";

const LONGEST = 2000;

/** The name and message of anything thrown, capped. Never throws: a hook may throw what can't even be read. */
export function errorText(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return capText(`${thrown.name}: ${thrown.message}`, LONGEST);
    return capText(String(thrown), LONGEST);
  } catch {
    return "something that can't be read was thrown";
  }
}

/** The message of anything thrown, capped. Never throws. */
export function errorMessage(thrown: unknown): string {
  try {
    return thrown instanceof Error ? capText(thrown.message, LONGEST) : errorText(thrown);
  } catch {
    return errorText(undefined);
  }
}

const LONGEST_STACK = 20_000;

/** The stack of anything thrown, as the field of an Error event. Never throws. */
export function stackTrace(thrown: unknown): { readonly stack_trace?: string } {
  try {
    const { stack } = thrown instanceof Error ? thrown : {};
    return typeof stack === "string" ? { stack_trace: capText(stack, LONGEST_STACK) } : {};
  } catch {
    return {};
  }
}

/** True for anything that can be awaited. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Ignores a promise's outcome, so that its rejection is handled. */
export function ignore(value: unknown): void {
  try {
    if (isPromise(value)) value.then(undefined, () => {});
  } catch {
    // A `then` that throws has no outcome either.
  }
}
