import type { PersonAnswer } from "../core/contracts/approval.ts";
import { durationText } from "./duration.ts";
import { harmlessLine } from "./harmless.ts";

/** The agent's own user, as records name them. */
export const ITS_USER = "user";

/**
 * What a person has done with a call, for them to read: `allowed by you after 4 s`, `refused by Anna: not today`.
 *
 * @param machine where it was, when that was on another machine: its user is not who reads this.
 */
export function personAnswerText(
  done: "allowed" | "refused" | "answered",
  { by, asked_ms, words }: PersonAnswer,
  machine?: string,
): string {
  const user = machine === undefined ? "you" : "its user";
  const who = by === ITS_USER ? user : harmlessLine(by);
  const after = asked_ms === undefined ? "" : ` after ${durationText(asked_ms)}`;
  return `${done} by ${who}${after}${words === undefined || words === "" ? "" : `: ${words}`}`;
}
