import { TenterhookError } from "../base/errors.ts";
import { frozenCopy, frozenJson, isRecord } from "../base/json.ts";
import { capText } from "../base/text.ts";
import type { UserQuestion } from "./tool.ts";

type ToolInput = Readonly<Record<string, unknown>>;

/** For how long a yes counts: this call; the same call again in the session; what else the same asker asks about this tool. */
export type ApprovalScope = "once" | "session" | "tool";

/** Yes, with what goes with it. */
export interface Approved {
  readonly allow: true;
  /** Default `once`. */
  readonly for?: ApprovalScope;
  /** The input to use instead. It passes all gates again. */
  readonly input?: ToolInput;
  /** Who it was, where several can answer. Default: the user. */
  readonly by?: string;
}

/** No, with what is to be done instead. */
export interface Refused {
  readonly allow: false;
  /** For the model. */
  readonly feedback?: string;
  /** Who it was, where several can answer. Default: the user. */
  readonly by?: string;
}

/** What a person has answered about a call, for the record. */
export interface PersonAnswer {
  /** `user`, or a name. */
  readonly by: string;
  /** For how long the call has waited for them, in milliseconds. */
  readonly asked_ms?: number;
  /** What they said with it. */
  readonly words?: string;
}

/** A human's yes or no. The same everywhere: `approval` of agents, of `toolCall` and of `continue`, and `answer` of a hook. */
export type Approval = boolean | "yes" | "no" | Approved | Refused;

/** What a human says to questions: a text for all of them, or texts by question. */
export type QuestionAnswers = string | Readonly<Record<string, string | readonly string[]>>;

/** What a human is asked before a call runs. */
export interface ApprovalRequest {
  readonly kind: "permission" | "plan" | "model_switch" | "turn_hook";
  readonly tool_name?: string;
  readonly tool_input?: ToolInput;
  readonly tool_use_id?: string;
  /** What the call would do, as its tool shows it: for Edit and Write the difference to the file. */
  readonly preview?: string;
  /** The plan, the program to run, or the model to switch to. */
  readonly subject?: string;
  readonly reason?: string;
  readonly suggestions?: readonly unknown[];
}

/**
 * Asks a human. When it throws, nobody could be asked, and the call is refused; when it returns something else than a yes or
 * no, the run ends with the error `invalid_answer`. An edited input passes all gates again.
 */
export type AskApproval = (request: ApprovalRequest, signal: AbortSignal) => Approval | Promise<Approval>;

/** Answers by question, where several people can answer with the name of who has. */
type UserAnswers =
  | Readonly<Record<string, string>>
  | { readonly answers: Readonly<Record<string, string>>; readonly by: string };

/** Asks the user questions and returns the answers; `undefined` without an answer. */
export type AskUser = (
  questions: readonly UserQuestion[],
  signal: AbortSignal,
) => Promise<UserAnswers | undefined>;

/** Seconds that a human has for an answer: to whatever is asked, or by what it is. What is absent has no limit. */
export type AnswerTime =
  | number
  | { readonly permission?: number; readonly plan?: number; readonly question?: number };

/** How long a human has for an answer to this; `undefined` for as long as they need. */
export function secondsFor(
  time: AnswerTime | undefined,
  kind: ApprovalRequest["kind"] | "question",
): number | undefined {
  if (typeof time !== "object") return time;
  return time[kind === "plan" || kind === "question" ? kind : "permission"];
}

/** How a human is asked, how long they have for an answer, and what counts when none comes. */
export interface ApprovalOptions {
  /** Without it nobody is asked here. */
  readonly ask?: AskApproval;
  /** Seconds, for approvals and for `askUser`, or by what is asked. Default: as long as they need. */
  readonly timeout?: AnswerTime;
  /**
   * The answer to a call, a plan or a model. Default: it is refused, or with `suspend` a call or plan waits for `continue`.
   * A program of a turn that is not trusted never runs by default.
   */
  readonly default?: Approval;
  /** The answers to questions. Default: none. */
  readonly answers?: QuestionAnswers;
}

const MUST =
  'true, false, "yes", "no", { allow: true, for?, input?, by? } or { allow: false, feedback?, by? }';

/**
 * Reads what a human answered about a tool call. A value that is not understood is an error, never a no.
 *
 * @param place what was asked or called, for the message.
 * @throws TenterhookError `invalid_answer`.
 */
export function readApproval(answer: unknown, place: string): Approved | Refused {
  if (answer === true || answer === "yes") return { allow: true };
  if (answer === false || answer === "no") return { allow: false };
  if (isRecord(answer)) {
    const { allow, for: scope, input, feedback, by, ...rest } = answer;
    const isKnown = Object.keys(rest).length === 0 && isText(by);
    const who = typeof by === "string" ? { by } : {};
    if (isKnown && allow === true && feedback === undefined && isScope(scope))
      return { allow, for: scope, ...readInput(input, place), ...who };
    if (isKnown && allow === false && scope === undefined && input === undefined && isText(feedback))
      return feedback === undefined ? { allow, ...who } : { allow, feedback, ...who };
  }
  throw invalid(place, `the answer is ${shown(answer)}; it must be ${MUST}`);
}

/**
 * The same for what is no tool call: there is no input to edit.
 *
 * @throws TenterhookError `invalid_answer`.
 */
export function readAgreement(answer: unknown, place: string): Approved | Refused {
  const read = readApproval(answer, place);
  if (read.allow && (read.input !== undefined || read.for === "tool"))
    throw invalid(place, 'this is no tool call, so input and for: "tool" have no meaning');
  return read;
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isScope(scope: unknown): scope is ApprovalScope | undefined {
  return scope === undefined || scope === "once" || scope === "session" || scope === "tool";
}

function readInput(input: unknown, place: string): Pick<Approved, "input"> {
  if (input === undefined) return {};
  if (!isRecord(input)) throw invalid(place, `input is ${shown(input)}; it must be an object`);
  try {
    const copy = frozenJson(input);
    return isRecord(copy) ? { input: copy } : {};
  } catch {
    throw invalid(place, "input is not plain JSON data");
  }
}

function shown(value: unknown): string {
  return capText(JSON.stringify(frozenCopy(value)) ?? String(value), 100);
}

function invalid(place: string, problem: string): TenterhookError {
  return new TenterhookError("invalid_answer", `${place}: ${problem}.`);
}
