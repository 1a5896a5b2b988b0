import { capText } from "./text.ts";

const LONGEST = 2000;

/** What anything thrown says, within bounds. Never throws itself: a hook may throw what can't even be read. */
export function errorText(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return capText(`${thrown.name}: ${thrown.message}`, LONGEST);
    return capText(String(thrown), LONGEST);
  } catch {
    return "something that can't be read was thrown";
  }
}

/** The message alone of anything thrown, within bounds. Never throws itself. */
export function errorMessage(thrown: unknown): string {
  try {
    return thrown instanceof Error ? capText(thrown.message, LONGEST) : errorText(thrown);
  } catch {
    return errorText(undefined);
  }
}

/** True for anything that can be waited for. Never throws itself. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Lets a promise go whose outcome nobody wants, so that its rejection harms nobody. */
export function ignore(value: unknown): void {
  try {
    if (isPromise(value)) value.then(undefined, () => {});
  } catch {
    // A `then` that throws has nothing to tell either.
  }
}
