import { createHmac } from "node:crypto";

/** No letters and digits that look alike. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH = 8;

/**
 * The code of a question. It shows that the person who answers has seen the question. Anybody may write to a topic whose name they know, so
 * an answer without it does not count.
 */
export function codeOf(secret: string, decision: string, question: number): string {
  const digest = createHmac("sha256", secret).update(`ntfy ${decision} ${question}`).digest();
  return Array.from(digest.subarray(0, LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** The code and the answer in `code answer`, as buttons send it and people write it. */
export function readReply(text: string): { readonly code: string; readonly answer: string } | undefined {
  const [, code, answer] = /^\s*([a-z2-9]{8})\b[\s:]*(.*)$/is.exec(text) ?? [];
  return code === undefined || answer === undefined ? undefined : { code: code.toLowerCase(), answer };
}
