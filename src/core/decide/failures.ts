import { errorMessage, errorText } from "../base/error-text.ts";
import { TRUST_WAY_OUT } from "../base/untrusted.ts";
import { isHookFailure } from "../events/hook-failure-error.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { HookFailure } from "./decision.ts";

export const CANCELLED: HookFailure = { kind: "cancelled", message: "The run was cancelled." };

/** Describes an exception as a failure. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): HookFailure {
  if (isHookFailure(error)) return { kind: error.kind, message: errorMessage(error) };
  if (signal?.aborted === true) return CANCELLED;
  return { kind: "error", message: errorText(error) };
}

const MOST_NAMES = 3;

/** What the model and the user read about hooks that failed in the same way. */
export function failureTexts(
  names: readonly string[],
  { kind, message }: HookFailure,
): { readonly reason: string; readonly user: string } {
  if (kind === "cancelled") return { reason: message, user: message };
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  const text = `${names.length === 1 ? "Hook" : "Hooks"} ${shown.join(", ")}${more} failed (${kind}): ${message}`;
  if (kind !== "untrusted") return { reason: text, user: text };
  return { reason: `${text} Ask the user to review the hooks.`, user: `${text} ${TRUST_WAY_OUT}` };
}

/** Who manages the hook, as the last line of its refusals, so that people know whom to ask; empty when nobody does. */
export function managerLine({ hook: { origin } }: RegisteredHook): string {
  return origin.managed_by === undefined ? "" : `\nManaged by ${origin.managed_by}.`;
}
