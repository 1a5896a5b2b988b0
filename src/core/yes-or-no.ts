import { isRecord } from "./json.ts";

const YES: ReadonlySet<unknown> = new Set([true, "allow", "accept", "yes"]);
const NO: ReadonlySet<unknown> = new Set(["deny", "cancel", "no"]);

/**
 * What an answer to a yes-or-no question says: true, a refusal with words (what is to be done instead) or without, or
 * nothing. It is one word, any other text, or `{ allow, feedback? }`.
 */
export function yesOrNo(answer: unknown): true | string | false | undefined {
  if (answer === undefined) return undefined;
  const { allow, feedback }: Readonly<Record<string, unknown>> = isRecord(answer)
    ? answer
    : { allow: answer };
  if (YES.has(allow)) return true;
  if (typeof feedback === "string") return feedback;
  return typeof allow === "string" && !NO.has(allow) ? allow : false;
}
