import { fieldsOf } from "../codec/read-usage.ts";
import { partsOf, textIn, textOfParts } from "../codec/recorded-session.ts";
import type { CallOutcome, CallRecord, TurnFormat } from "../codec/turn-sign.ts";

/** What Claude Code writes after Esc, as a message of the user: `[Request interrupted by user for tool use]`. */
const INTERRUPTED = "[Request interrupted by user";

/** Claude Code fires no hook at Esc. A turn that ends by itself, or with an error, its hooks report. */
export const claudeTurns: TurnFormat = {
  marks: ['"type":"user"', '"type":"assistant"'],
  sign: ({ type, message, isSidechain, isMeta, isApiErrorMessage, error }) => {
    if ((type !== "user" && type !== "assistant") || isSidechain === true || isMeta === true)
      return undefined;
    const text = textOfParts(fieldsOf(message).content);
    if (type === "user" && text.startsWith(INTERRUPTED)) return { turn: "interrupted" };
    if (isApiErrorMessage !== true) return { turn: "works" };
    const name = textIn(error);
    return { turn: "failed", error: { message: text, ...(name === undefined ? {} : { type: name }) } };
  },
  calls: ({ message }) =>
    partsOf(fieldsOf(message).content).flatMap<CallRecord>((part) => {
      const { type, id, name, input, tool_use_id } = part;
      if (type === "tool_result") return [{ result: tool_use_id, outcome: outcomeOf(part) }];
      return type === "tool_use" ? [{ call: id, tool_name: name, tool_input: input }] : [];
    }),
};

/** How Claude Code begins the result of a call that its user has refused. */
const REFUSED = "The user doesn't want to";

function outcomeOf({ is_error, content }: Readonly<Record<string, unknown>>): CallOutcome {
  if (is_error !== true) return "ran";
  return textOfParts(content).startsWith(REFUSED) ? "refused" : "failed";
}
