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

/** What the user and the model read about hooks that failed in the same way. */
export function failureText(names: readonly string[], { kind, message }: HookFailure): string {
  if (kind === "cancelled") return message;
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.length === 1 ? "Hook" : "Hooks"} ${shown.join(", ")}${more} failed (${kind}): ${message}`;
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
  for (const { name, failure } of untrusted)
    joined.set(failureText([name], failure), failureText(namesByMessage.get(failure.message) ?? [], failure));
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
