import type { HookFailure, UserMessage } from "./decision.ts";
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
  const alike = new Map<string, NamedFailure[]>();
  for (const one of untrusted) {
    const group = alike.get(one.failure.message);
    if (group === undefined) alike.set(one.failure.message, [one]);
    else group.push(one);
  }
  const together = new Map<string, string>();
  for (const group of alike.values()) {
    const names = group.map(({ name }) => name);
    for (const { name, failure } of group)
      together.set(failureText([name], failure), failureText(names, failure));
  }
  const said = new Set<string>();
  return {
    // The same reason twice is one.
    verdicts: told.verdicts.map((verdict) => ({
      ...verdict,
      reason: together.get(verdict.reason ?? "") ?? verdict.reason,
    })),
    userMessages: told.userMessages.flatMap((message) => {
      const text = together.get(message.text);
      if (text === undefined) return [message];
      if (said.has(text)) return [];
      said.add(text);
      return [{ ...message, text }];
    }),
  };
}
