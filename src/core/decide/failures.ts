import { errorMessage, errorText } from "../base/error-text.ts";
import { isHookFailure } from "../events/hook-failure-error.ts";
import type { UserMessage } from "../events/outcomes.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { HookFailure } from "./decision.ts";

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

interface Texts<Verdict> {
  readonly verdicts: readonly Verdict[];
  readonly userMessages: readonly UserMessage[];
}

/**
 * Says once what untrusted hooks have in common: one line of a file brings all the hooks of a pack, and until it is
 * trusted each of them refuses for the same reason.
 */
export function joinUntrusted<Verdict extends { readonly reason: string | undefined }>(
  texts: Texts<Verdict>,
  failures: readonly { readonly hook: RegisteredHook; readonly failure: HookFailure }[],
): Texts<Verdict> {
  const untrusted = failures
    .filter(({ failure }) => failure.kind === "untrusted")
    .map(({ hook, failure }) => ({ name: hook.hook.name, failure }));
  if (untrusted.length < 2) return texts;
  const namesByMessage = new Map<string, string[]>(untrusted.map(({ failure }) => [failure.message, []]));
  for (const { name, failure } of untrusted) namesByMessage.get(failure.message)?.push(name);
  const joined = new Map<string | undefined, string>();
  for (const { name, failure } of untrusted) {
    const one = failureTexts([name], failure);
    const all = failureTexts(namesByMessage.get(failure.message) ?? [], failure);
    joined.set(one.reason, all.reason).set(one.user, all.user);
  }
  const seen = new Set<string>();
  return {
    // Merging verdicts drops repeated reasons.
    verdicts: texts.verdicts.map((verdict) => ({
      ...verdict,
      reason: joined.get(verdict.reason) ?? verdict.reason,
    })),
    userMessages: texts.userMessages.flatMap((message) => {
      const text = joined.get(message.text);
      if (text === undefined) return [message];
      if (seen.has(text)) return [];
      seen.add(text);
      return [{ ...message, text }];
    }),
  };
}
