import type { TranscriptStatus } from "../core/contracts/transcript.ts";

interface StopReasonRow {
  /** For the reference page. */
  readonly meaning: string;
  /** The status of the agent that its transcript keeps. */
  readonly status: TranscriptStatus;
  /** Of `tenterhook run`, `resume` and `fork`. */
  readonly exit_code: number;
}

/** The one table of how a run can end. */
export const STOP_REASONS = {
  complete: {
    meaning:
      "The agent has answered, and no hook objects. If Stop hooks had kept it going before, or a judge agreed, `reason` says so.",
    status: "complete",
    exit_code: 0,
  },
  capped: {
    meaning:
      "Hooks wanted to go on, and a [ceiling](limits.md) on continuations, hook-started turns, time or tokens did not let them; `reason` names it.",
    status: "limit",
    exit_code: 3,
  },
  stalled: {
    meaning:
      "Stop hooks wanted to go on, but they gave the same reason again and again and the agent called no tool in between.",
    status: "limit",
    exit_code: 4,
  },
  limit: { meaning: "The turn has reached its limit of iterations.", status: "limit", exit_code: 1 },
  cut_off: { meaning: "The last answer has no end.", status: "limit", exit_code: 1 },
  invalid_output: { meaning: "The answer does not fit the output schema.", status: "error", exit_code: 1 },
  refused: { meaning: "The model or its provider refused to answer.", status: "error", exit_code: 1 },
  cancelled: { meaning: "The run was interrupted.", status: "cancelled", exit_code: 1 },
  error: { meaning: "Something failed; `error` says what.", status: "error", exit_code: 1 },
  denied: { meaning: "A hook refused the model, the prompt or the work.", status: "cancelled", exit_code: 1 },
  aborted: { meaning: "A hook ended the run.", status: "cancelled", exit_code: 1 },
  suspended: {
    meaning:
      "The agent waits for a human; `waiting_for` says for what, and `continue` resumes with the answer.",
    status: "suspended",
    exit_code: 1,
  },
  budget: {
    meaning: "The run or the session has reached its limit; `continue` resumes with a higher one.",
    status: "suspended",
    exit_code: 1,
  },
} as const satisfies Readonly<Record<string, StopReasonRow>>;

/** Why a run ended. */
export type StopReason = keyof typeof STOP_REASONS;
