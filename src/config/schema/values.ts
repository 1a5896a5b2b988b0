import { z } from "zod";
import { didYouMean } from "../../core/base/suggest.ts";

/*
 * The error of every schema says what the value must be, ready to follow "it must be"; `issues.ts` writes the rest of
 * the sentence. The error of an object for keys it does not know is one line for each of them.
 */

/** A text that is not blank. */
export const text = z.string({ error: "a text that is not blank" }).regex(/\S/, {
  error: "a text that is not blank",
});

const HOOK_NAME = "one line of at most 100 characters that is not blank";

/** What a hook is called: models read it, so that it must not be able to tell them more than a name. */
export const hookName = z
  .string({ error: HOOK_NAME })
  .regex(/^(?=.*\S)[^\p{Cc}\u2028\u2029]{1,100}$/u, { error: HOOK_NAME });

/** True or false. */
export const flag = z.boolean({ error: "true or false" });

/** A number of 0 or more. */
export const amount = z.number({ error: "a number of 0 or more" }).min(0, { error: "a number of 0 or more" });

/** Seconds above 0. */
export const seconds = z
  .number({ error: "a number of seconds above 0" })
  .gt(0, { error: "a number of seconds above 0" });

/** How many times: a whole number of 0 or more. */
export const count = z
  .number({ error: "a whole number of 0 or more" })
  .int({ error: "a whole number of 0 or more" })
  .min(0, { error: "a whole number of 0 or more" });

/** A whole number of 1 or more. */
export const positive = z
  .number({ error: "a whole number of 1 or more" })
  .int({ error: "a whole number of 1 or more" })
  .min(1, { error: "a whole number of 1 or more" });

const DURATION = "a number of seconds, or a text such as 60s, 10m or 2h";

/** A time: seconds, or a text with its unit. */
export const duration = z.union(
  [
    z.number({ error: DURATION }).min(0, { error: DURATION }),
    z.string({ error: DURATION }).regex(/^\d+(\.\d+)?(ms|s|m|h)$/, { error: DURATION }),
  ],
  { error: DURATION },
);

/** A list of texts. */
export const texts = z.array(text, { error: "a list of texts" });

const NAMES = "a text or a list of texts, none of them empty";

/** One text or a list of them. */
export const names = z.union([text, z.array(text, { error: NAMES }).min(1, { error: NAMES })], {
  error: NAMES,
});

/** Texts by name. */
export const textByName = z.record(z.string(), z.string({ error: "a text" }), {
  error: "an object with a text for each name",
});

/** One of these words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: ({ input }) =>
      `one of ${words.join(", ")}${typeof input === "string" ? didYouMean(input, words).replace(/^ /, ". ") : ""}`,
  });
}

/** An object with these keys and no others. */
export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => {
      const known = Object.keys(shape);
      return issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => didYouMean(key, known) || ` Known keys: ${known.join(", ")}.`).join("\n")
        : `an object with the keys ${known.join(", ")}`;
    },
  });
}
