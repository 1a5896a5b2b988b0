import { isRecord } from "../core/json.ts";

const YES = /^(?:y|yes|yep|yeah|ok|okay|true|allow|allowed|approve|approved|agree|agreed|accept|sure|once)$/;
const NO = /^(?:n|no|nope|false|deny|denied|refuse|refused|reject|rejected|disagree)?$/;

/** What words say to a yes-or-no question: true, false, or neither. Case, spaces and a full stop do not matter. */
export function yesOrNo(words: string): boolean | undefined {
  const said = words
    .trim()
    .replace(/[.!]+$/, "")
    .toLowerCase();
  if (YES.test(said)) return true;
  return NO.test(said) ? false : undefined;
}

/** What an answer to a yes-or-no question says: true, a refusal with or without words, or nothing. */
export function answerOf(answer: unknown): true | string | false | undefined {
  if (answer === undefined) return undefined;
  const { allow, feedback }: Readonly<Record<string, unknown>> = isRecord(answer)
    ? answer
    : { allow: answer };
  const agreed = typeof allow === "string" ? yesOrNo(allow) : allow === true;
  if (agreed === true) return true;
  if (typeof feedback === "string") return feedback;
  return agreed === undefined && typeof allow === "string" ? allow : false;
}
