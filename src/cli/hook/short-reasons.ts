import type { Decision } from "../../core/decision.ts";
import { characterCount, firstCharacters } from "../../core/text.ts";

/** A decision whose reasons are no longer than what a model is to read of one hook; what is left out is said. */
export function withShortReasons(decision: Decision, most: number): Decision {
  const { reason, keep_going: keepGoing, abort } = decision;
  return {
    ...decision,
    ...(reason === undefined ? {} : { reason: shortened(reason, most) }),
    ...(keepGoing === undefined ? {} : { keep_going: { reason: shortened(keepGoing.reason, most) } }),
    ...(abort?.reason === undefined ? {} : { abort: { ...abort, reason: shortened(abort.reason, most) } }),
  };
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const count = characterCount(text);
  if (count <= most) return text;
  return `${firstCharacters(text, most)}\n[${count - most} of ${count} characters are left out.]`;
}
