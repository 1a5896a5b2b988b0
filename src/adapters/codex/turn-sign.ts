import { fieldsOf } from "../codec/read-usage.ts";
import { textIn } from "../codec/recorded-session.ts";
import type { TurnError, TurnFormat } from "../codec/turn-sign.ts";

/** Codex writes the end of a turn into its transcript, with the error that ended it; no hook reports an error. */
export const codexTurns: TurnFormat = {
  marks: ['"task_started"', '"task_complete"', '"turn_aborted"'],
  sign: ({ type, payload }) => {
    if (type !== "event_msg") return undefined;
    const { type: kind, error } = fieldsOf(payload);
    if (kind === "task_started") return { turn: "works" };
    if (kind === "turn_aborted") return { turn: "interrupted" };
    if (kind !== "task_complete") return undefined;
    return typeof error === "object" && error !== null
      ? { turn: "failed", error: errorIn(error) }
      : { turn: "ended" };
  },
};

/** `codex_error_info` is a name, or an object whose only key is the name, with the status of the reply. */
function errorIn(error: object): TurnError {
  const { message, codex_error_info: info } = fieldsOf(error);
  const [name, about] = typeof info === "string" ? [info] : (Object.entries(fieldsOf(info))[0] ?? []);
  const { http_status_code: status } = fieldsOf(about);
  const text = textIn(message);
  return {
    ...(text === undefined ? {} : { message: text }),
    // A reply that came says more than Codex's name for it: a 402 is a failed connection there.
    ...(typeof status === "number" ? { status } : name === undefined ? {} : { type: name }),
  };
}
