import { errorMessage } from "../../core/base/error-text.ts";
import { linearRegex } from "../../node/regex.ts";

/** How a text of a case compares: equal, or by `/regular expression/`. */
export type TextPattern = (text: string) => boolean;

/**
 * The comparison that a text in `expect` means; anything else is compared as data.
 *
 * @returns why it can't be used, when it is a regular expression that can't.
 */
export function textPattern(written: unknown): TextPattern | string | undefined {
  if (typeof written !== "string") return undefined;
  const source = /^\/(.*)\/(i?)$/s.exec(written);
  if (source === null) return (text) => text === written;
  try {
    return linearRegex(source[1] ?? "", source[2] === "i");
  } catch (error) {
    return errorMessage(error);
  }
}
