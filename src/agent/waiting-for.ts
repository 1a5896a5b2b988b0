import { isRecord } from "../core/base/json.ts";
import type { UserQuestion } from "../core/contracts/tool.ts";
import type { ToolInput } from "../core/contracts/tool-types.ts";

interface Call {
  readonly tool_use_id: string;
  readonly tool_name: string;
}

interface WaitingCall extends Call {
  /** From 2 on: the call was answered before and asks something else now. An answer must repeat it. */
  readonly ask?: number;
}

/** What a suspended agent waits for: plain data, which another process can show to a human. */
export type WaitingFor =
  | (WaitingCall & {
      readonly type: "question";
      readonly questions: readonly UserQuestion[];
      /** The hook that asks with options. Absent when the call itself asks. */
      readonly hook?: string;
    })
  | (WaitingCall & {
      readonly type: "permission";
      readonly tool_input: ToolInput;
      readonly preview?: string;
      readonly reason?: string;
    })
  | (WaitingCall & { readonly type: "plan"; readonly plan: string })
  | (Call & {
      readonly type: "subagent";
      readonly agent_id: string;
      readonly waiting_for: WaitingFor;
    });

export interface GivenAnswer {
  readonly to: WaitingFor;
  readonly answer: unknown;
}

/** What a store saves of a suspended agent: which calls have not run, and what humans have answered already. */
export type StoredWaiting = WaitingFor & {
  readonly not_started: readonly string[];
  /** Which agent waits: a fork is another one. */
  readonly waiting_agent_id?: string;
  /** Answers to calls that have no result yet. */
  readonly answers?: readonly GivenAnswer[];
};

export function isStoredWaiting(value: unknown): value is StoredWaiting {
  return (
    isRecord(value) &&
    typeof value.tool_use_id === "string" &&
    typeof value.type === "string" &&
    Array.isArray(value.not_started) &&
    (value.answers === undefined || (Array.isArray(value.answers) && value.answers.every(isGivenAnswer)))
  );
}

function isGivenAnswer(value: unknown): boolean {
  return isRecord(value) && isRecord(value.to) && "answer" in value;
}
