import { type Choice, readChoiceBody } from "../decisions/resolve.ts";
import type { Notice } from "./channel.ts";
import { paragraphs } from "./message.ts";

/** The body of a webhook, and the stdin of a command. */
export function bodyOf(
  event: "decision.opened" | "decision.closed",
  { id, decision, title, context, text }: Notice,
): string {
  return JSON.stringify({ v: 1, id, event, title, text: paragraphs(context, text), decision });
}

/** The choice in `{ "choices": ["…"], "message"?: "…" }`; `undefined` for any other text. */
export function choiceIn(text: string): Choice | undefined {
  try {
    return readChoiceBody(JSON.parse(text));
  } catch {
    return undefined;
  }
}
