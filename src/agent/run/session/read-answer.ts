import { TenterhookError } from "../../../core/base/errors.ts";
import { isRecord } from "../../../core/base/json.ts";
import { readApproval } from "../../../core/contracts/approval.ts";
import type { HumanAnswer } from "./answers.ts";

/**
 * Reads an answer to the call that a session waits for. A key that is not known makes it invalid.
 *
 * @throws TenterhookError `invalid_answer`.
 */
export function humanAnswer(value: unknown, place: string): HumanAnswer {
  const { tool_use_id, ask, subagent_id, approval, answers, ...rest } = isRecord(value) ? value : {};
  const isOne = (approval === undefined) !== (answers === undefined) && Object.keys(rest).length === 0;
  const isCall =
    typeof tool_use_id === "string" &&
    (ask === undefined || typeof ask === "number") &&
    (subagent_id === undefined || typeof subagent_id === "string");
  if (!isCall || !isOne)
    throw new TenterhookError(
      "invalid_answer",
      `${place}: it must be {"tool_use_id", "approval"} or {"tool_use_id", "answers"}, with "ask" if waiting_for has it.`,
    );
  const call = {
    tool_use_id,
    ask,
    subagent_id,
  };
  return answers === undefined
    ? { ...call, approval: readApproval(approval, place) }
    : { ...call, answers: textsIn(answers, place) };
}

function textsIn(answers: unknown, place: string): string | Readonly<Record<string, string>> {
  if (typeof answers === "string") return answers;
  const texts = Object.entries(isRecord(answers) ? answers : {}).map(([question, text]) => {
    if (typeof text === "string") return [question, text] as const;
    throw new TenterhookError(
      "invalid_answer",
      `${place}: the answer to ${JSON.stringify(question)} is no text.`,
    );
  });
  if (texts.length > 0) return Object.fromEntries(texts);
  throw new TenterhookError("invalid_answer", `${place}: answers must be a string, or strings by question.`);
}
