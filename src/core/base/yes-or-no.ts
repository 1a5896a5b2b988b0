import { isRecord } from "./json.ts";

const YES =
  /^(?:y|yes|yep|yeah|ok|okay|true|allow|allowed|approve|approved|agree|agreed|accept|accepted|sure|once)$/;
const NO =
  /^(?:n|no|nope|false|deny|denied|refuse|refused|reject|rejected|disagree|decline|declined|cancel)?$/;

/**
 * What a person's answer to a yes-or-no question says: true, a refusal with words (what is to be done instead) or without, or
 * nothing when it is not understood. It is one word, any other text, or `{ allow, feedback? }`; case, spaces around it and a
 * full stop do not matter.
 */
export function yesOrNo(answer: unknown): true | string | false | undefined {
  const { allow, feedback }: Readonly<Record<string, unknown>> = isRecord(answer)
    ? answer
    : { allow: answer };
  const word = typeof allow === "string" ? bare(allow) : undefined;
  if (allow === true || (word !== undefined && YES.test(word))) return true;
  if (word === undefined && allow !== false) return undefined;
  if (typeof feedback === "string") return feedback;
  return typeof allow === "string" && word !== undefined && !NO.test(word) ? allow : false;
}

function bare(words: string): string {
  return words
    .trim()
    .replace(/[.!]+$/, "")
    .toLowerCase();
}
