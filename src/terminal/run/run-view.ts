import type { AgentItem, AskApproval, AskUser } from "../../agent.ts";
import type { AnswerTime } from "../../core/contracts/approval.ts";
import type { Cell } from "../cells/cell.ts";
import type { LostCall } from "../cells/state.ts";
import type { Paint } from "../paint.ts";

/** What a run shows to people: on a screen that changes, or line by line. */
export interface RunView {
  readonly onItem: (item: AgentItem) => void;
  /** Absent where nobody can be asked. */
  readonly asks: { readonly approval?: AskApproval; readonly askUser?: AskUser };
  /** Shows a warning. */
  readonly report: (text: string) => void;
  /** Shows something of the command's own. */
  add(...cells: readonly Cell[]): void;
  /** The agent is there. */
  opened(agent: OpenedRun): void;
  /** The agent's process is gone, and another one may go on. */
  cutOff(): void;
  /** Calls of an earlier process whose results were lost, by id. */
  lose(calls: Readonly<Record<string, LostCall>>): void;
  /** Shows what is left, and ends. */
  end(): Promise<void>;
}

export interface OpenedRun {
  readonly model: string;
  readonly hookCount: number;
  readonly answer_time?: AnswerTime;
}

export interface RunPlace {
  readonly folder: string;
  readonly paint: Paint;
  now(): number;
}
