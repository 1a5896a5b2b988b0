import { errorMessage, errorText } from "../base/error-text.ts";
import { isHookFailure } from "../events/hook-failure-error.ts";
import { effectAllowed } from "../events/known-events.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { failureMode, type RegisteredHook } from "../registration/registered-hook.ts";
import type { HookFailure } from "./decision.ts";
import type { EventScope } from "./event-scope.ts";

/** The failure of a hook whose run was cancelled. */
export const CANCELLED: HookFailure = { kind: "cancelled", message: "The run was cancelled." };

/** Describes an exception as a failure. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): HookFailure {
  if (isHookFailure(error)) return { kind: error.kind, message: errorMessage(error) };
  if (signal?.aborted === true) return CANCELLED;
  return { kind: "error", message: errorText(error) };
}

const MOST_NAMES = 3;

/** How a user puts a hook into force that is not trusted. No model may read it: only a person may grant trust. */
export const TRUST_WAY_OUT = "Look at what it does and trust it with: tenterhook trust";

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

/** Adds the failure of a hook: what it means for the call, and what the user reads. */
export function addFailure(
  scope: EventScope,
  hook: RegisteredHook,
  failure: HookFailure,
  event: AnyEvent,
): void {
  const { collected } = scope;
  const isKnown = collected.failures.some((other) => other.hook === hook);
  if (!isKnown) collected.failures.push({ hook, failure });
  const action = failureAction(scope, hook, failure, event);
  const { reason, user: text } = failureTexts([hook.hook.name], failure);
  if (action === "keep_going") collected.keepGoing.push(reason);
  else if (action !== undefined) collected.verdicts.push({ action, reason });
  // The caller knows that it cancelled, and a hook that fails in the recheck too is shown once.
  if (isKnown || failure.kind === "cancelled") return;
  const level = action === undefined ? "warning" : "error";
  collected.userMessages.push({ text, level, hook: hook.hook.name });
}

function failureAction(
  { known }: EventScope,
  hook: RegisteredHook,
  { kind }: HookFailure,
  event: AnyEvent,
): "ask" | "deny" | "keep_going" | undefined {
  const mode = failureMode(hook.hook, known.row, kind);
  if (mode === "open") return undefined;
  if (mode === "ask" && effectAllowed(known, event, "ask")) return "ask";
  if (effectAllowed(known, event, "deny")) return "deny";
  return known.row.refused_by === "keep_going" && kind !== "cancelled" ? "keep_going" : undefined;
}
