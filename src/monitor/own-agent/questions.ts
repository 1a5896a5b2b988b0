import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import { yesOrNo } from "../../core/base/yes-or-no.ts";
import {
  type Approval,
  type ApprovalOptions,
  type ApprovalRequest,
  type AskApproval,
  type AskUser,
  secondsFor,
} from "../../core/contracts/approval.ts";
import type { WaitingCall } from "../../shared/monitor/monitor.ts";
import type { GivenAnswer } from "../report/ask.ts";
import { editableInput, type Prompt } from "../report/prompt.ts";
import { answersTo, personOf } from "../report/prompt-answer.ts";
import { raceAnswers } from "./race-answers.ts";
import type { AgentReports } from "./reports.ts";

type ShownPrompt = Prompt & { readonly context?: string };

/** Asks a human at the agent and in the monitor whether something may happen. */
export function approveInMonitor(
  reports: AgentReports,
  { ask: here, timeout, default: fallback }: ApprovalOptions,
): AskApproval {
  return (request, signal) =>
    raceAnswers<Approval>(
      reports,
      {
        prompt: { ...promptFor(request), ...inputToEdit(request, reports.environment) },
        ...(here === undefined ? {} : { here: (until) => here(request, until) }),
        read: approvalIn,
        fallback,
        seconds: secondsFor(timeout, request.kind),
      },
      signal,
    );
}

/** The same for questions. */
export function askInMonitor(
  reports: AgentReports,
  here: AskUser | undefined,
  { timeout, answers: fallback }: ApprovalOptions,
): AskUser {
  return (questions, signal) =>
    raceAnswers<Awaited<ReturnType<AskUser>>>(
      reports,
      {
        prompt: { prompt_type: "question", question: questions },
        ...(here === undefined ? {} : { here: (until) => here(questions, until) }),
        read: (given) => {
          const answers = answersTo(questions, given.answer);
          return answers && { answers, by: personOf(given) };
        },
        fallback,
        seconds: secondsFor(timeout, "question"),
      },
      signal,
    );
}

const SUBJECTS = {
  model_switch: (subject: string) => `May it use the model ${subject}?`,
  turn_hook: (subject: string) => `May this program of .agent/hook.toml run? ${subject}`,
} as const;

function promptFor({ kind, subject = "", reason, ...asked }: ApprovalRequest): ShownPrompt {
  const context = withoutUndefined({ context: reason });
  switch (kind) {
    case "plan":
      return { prompt_type: "plan_approval", question: subject, ...context };
    case "permission":
      return { prompt_type: "permission", question: callOf(asked), ...context };
    case "model_switch":
    case "turn_hook":
      return { prompt_type: "permission", question: SUBJECTS[kind](subject), ...context };
    default:
      return kind satisfies never;
  }
}

function inputToEdit({ kind, tool_input }: ApprovalRequest, environment: NodeJS.ProcessEnv) {
  return kind === "permission" && tool_input !== undefined ? editableInput(tool_input, environment) : {};
}

function approvalIn(given: GivenAnswer): Approval | undefined {
  const { answer } = given;
  const verdict = yesOrNo(answer);
  const by = personOf(given);
  if (verdict === undefined) return undefined;
  if (verdict === true)
    return {
      allow: true,
      by,
      ...(isRecord(answer) && isRecord(answer.input) ? { input: answer.input } : {}),
    };
  return { allow: false, by, ...(verdict === false ? {} : { feedback: verdict }) };
}

/** What a suspended agent waits for, as far as the monitor shows it. */
export interface SuspendedOn {
  readonly type: string;
  readonly questions?: unknown;
  readonly plan?: unknown;
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
  readonly preview?: unknown;
  readonly reason?: string;
  readonly tool_use_id: string;
  readonly ask?: number;
  readonly agent_id?: string;
  readonly waiting_for?: SuspendedOn;
}

/** The call that waits itself: a subagent waits for one of its own. */
export function callOfSuspended(on: SuspendedOn): WaitingCall {
  const { tool_use_id, ask, agent_id: subagent_id, waiting_for } = on;
  if (waiting_for !== undefined)
    return { ...withoutUndefined({ subagent_id }), ...callOfSuspended(waiting_for) };
  return { tool_use_id, ...withoutUndefined({ ask }) };
}

/** The prompt of a suspended agent: that of the subagent which waits, if one does. */
export function promptOfSuspended(on: SuspendedOn): ShownPrompt {
  if (on.waiting_for !== undefined) return promptOfSuspended(on.waiting_for);
  const { type, questions, plan, reason } = on;
  if (type === "question") return { prompt_type: "question", question: questions };
  if (type === "plan") return { prompt_type: "plan_approval", question: plan };
  return { prompt_type: "permission", question: callOf(on), ...withoutUndefined({ context: reason }) };
}

function callOf(call: Pick<SuspendedOn, "tool_name" | "tool_input" | "preview">) {
  const { tool_name, tool_input, preview } = call;
  return { tool_name, tool_input, ...(preview === undefined ? {} : { preview }) };
}
