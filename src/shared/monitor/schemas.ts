import { schemas } from "../../core/base/schemas.ts";

const DURATION = "a number of seconds, or a string such as 60s, 10m or 2h";

/** How long something takes, as people write it; see `secondsOf`. */
export const duration = schemas.either(
  DURATION,
  { ...schemas.amount, must: DURATION },
  { is: "string", pattern: /^\d+(\.\d+)?(ms|s|m|h)$/, must: DURATION },
);

/** One of these words. Another one, which is right elsewhere, is refused with the reason. */
export function wordsBut<Word extends string>(
  words: readonly Word[],
  why_not: Readonly<Record<string, string | true>>,
) {
  return { is: "word", words, why_not, must: `one of ${words.join(", ")}` } as const;
}

/** How many of something may be at work. */
export const atLeastOne = { is: "number", whole: true, min: 1, must: "a whole number of 1 or more" } as const;
