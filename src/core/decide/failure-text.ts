import type { UserMessage } from "../events/outcomes.ts";
import type { HookFailure } from "./decision.ts";
import type { Verdict } from "./verdicts.ts";

/** A hook that failed, by its name. */
export interface NamedFailure {
  readonly name: string;
  readonly failure: HookFailure;
}

/** What is said of hooks that failed in the same way. */
export function failureText(names: readonly string[], { kind, message }: HookFailure): string {
  if (kind === "cancelled") return message;
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.length === 1 ? "Hook" : "Hooks"} ${shown.join(", ")}${more} failed (${kind}): ${message}`;
}

const MOST_NAMES = 3;

/** What verdicts and messages to the user are made of. */
export interface Told {
  readonly verdicts: readonly Verdict[];
  readonly userMessages: readonly UserMessage[];
}

/**
 * Says once what is said of many hooks: one line of a file brings all the hooks of a pack, and while it is not trusted
 * each of them refuses, for the same reason.
 */
export function toldOnce(told: Told, failures: readonly NamedFailure[]): Told {
  const untrusted = failures.filter(({ failure }) => failure.kind === "untrusted");
  if (untrusted.length < 2) return told;
  const alike = new Map<string, string[]>(untrusted.map(({ failure }) => [failure.message, []]));
  for (const { name, failure } of untrusted) alike.get(failure.message)?.push(name);
  const together = new Map<string | undefined, string>();
  for (const { name, failure } of untrusted)
    together.set(failureText([name], failure), failureText(alike.get(failure.message) ?? [], failure));
  const said = new Set<string>();
  return {
    // The same reason twice is one.
    verdicts: told.verdicts.map((verdict) => ({
      ...verdict,
      reason: together.get(verdict.reason) ?? verdict.reason,
    })),
    userMessages: told.userMessages.flatMap((message) => {
      const text = together.get(message.text) ?? "";
      if (said.has(text)) return [];
      if (text === "") return [message];
      said.add(text);
      return [{ ...message, text }];
    }),
  };
}
