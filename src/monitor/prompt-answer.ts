import { isRecord } from "../core/base/json.ts";
import { yesOrNo } from "../core/base/yes-or-no.ts";
import type { PromptType } from "../core/contracts/monitor.ts";

type Input = Readonly<Record<string, unknown>>;

export interface PromptAnswer {
  readonly action: "allow" | "deny";
  readonly reason?: string;
  /** The input of the call with the answers in it. */
  readonly input?: Input;
}

/**
 * Turns an answer into a decision on the call that waits for it: a question is allowed with its answers; a plan or a
 * permission is allowed, or denied with what to do instead. `undefined` when the answer does not fit the prompt.
 */
export function promptAnswer(type: PromptType, input: Input, answer: unknown): PromptAnswer | undefined {
  switch (type) {
    case "question": {
      const answers = answersTo(input.questions, answer);
      return answers && { action: "allow", input: { ...input, answers } };
    }
    case "plan_approval":
      return agreed(answer, "The plan was not accepted.");
    case "permission":
      return agreed(answer, "The permission was not given.");
    case "idle":
    case "other":
      return undefined;
    default:
      return type satisfies never;
  }
}

function agreed(answer: unknown, otherwise: string): PromptAnswer | undefined {
  const said = yesOrNo(answer);
  if (said === undefined) return undefined;
  return said === true ? { action: "allow" } : { action: "deny", reason: said || otherwise };
}

/** One string for one question, a list with one for each, or strings by question or heading; all or nothing. */
function answersTo(questions: unknown, answer: unknown): Readonly<Record<string, string>> | undefined {
  const asked: readonly unknown[] = Array.isArray(questions) ? questions : [];
  const given = isRecord(answer)
    ? asked.map((one) => (isRecord(one) ? (answer[String(one.question)] ?? answer[String(one.header)]) : ""))
    : [answer].flat();
  if (asked.length === 0 || given.length !== asked.length) return undefined;
  const answers: Record<string, string> = {};
  for (const [index, one] of asked.entries()) {
    const said = isRecord(one) ? choice(one, given[index]) : undefined;
    if (!isRecord(one) || typeof one.question !== "string" || said === undefined) return undefined;
    answers[one.question] = said;
  }
  return answers;
}

/** Numbers, from 1 on, mean options; any other string, and `{ label }`, is the answer itself. */
function choice({ options, multiSelect }: Input, said: unknown): string | undefined {
  const parts: readonly unknown[] = Array.isArray(said)
    ? said
    : multiSelect === true && typeof said === "string" && /^[\d\s,]+$/.test(said)
      ? said.split(/[\s,]+/)
      : [said];
  const known: readonly unknown[] = Array.isArray(options) ? options : [];
  const labels = parts.map((part) => {
    if (isRecord(part) && typeof part.label === "string") return part.label;
    const text = typeof part === "string" || typeof part === "number" ? String(part).trim() : "";
    if (known.length === 0 || !/^\d+$/.test(text)) return text;
    const option = known[Number(text) - 1];
    return isRecord(option) && typeof option.label === "string" ? option.label : "";
  });
  return labels.includes("") ? undefined : labels.join(", ");
}
