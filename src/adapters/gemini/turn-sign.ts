import { partsOf, textOfParts } from "../codec/recorded-session.ts";
import type { TurnFormat } from "../codec/turn-sign.ts";

/** What Gemini CLI tells its user after Esc. The results of what was cancelled follow. */
const CANCELLED = "Request cancelled.";
const CANCELLED_CALL = "Operation cancelled by user";
/** After Esc at a permission, Gemini CLI records the conversation so far again, as one message of the user. */
const RECORDED_AGAIN = "<session_context>";

/** Gemini CLI fires no hook at Esc and none for an error; what it shows its user it also records. */
export const geminiTurns: TurnFormat = {
  marks: ['"type":"user"', '"type":"gemini"', '"type":"info"', '"type":"error"'],
  sign: ({ type, content, toolCalls }) => {
    const text = textOfParts(content);
    if (type === "info") return text === CANCELLED ? { turn: "interrupted" } : undefined;
    if (type === "error") return { turn: "failed", error: { message: text } };
    if ((type !== "user" && type !== "gemini") || text.startsWith(RECORDED_AGAIN)) return undefined;
    const results = [...partsOf(content), ...partsOf(toolCalls)];
    return JSON.stringify(results).includes(CANCELLED_CALL) ? undefined : { turn: "works" };
  },
};
