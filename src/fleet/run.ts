import type { HumanAnswer } from "../agent/run/session/answers.ts";
import type { WaitingFor } from "../agent/waiting-for.ts";
import type { Usage } from "../core/contracts/transcript.ts";

export type RunState = "queued" | "running" | "waiting" | "done" | "failed" | "dead" | "cancelled";

/** Who does the work: our own agent, or the real program of another one. */
export const RUN_AGENTS = ["own", "claude", "codex"] as const;
export type RunAgentName = (typeof RUN_AGENTS)[number];

export interface RunOrder {
  readonly task: string;
  /** Default: our own. */
  readonly agent?: RunAgentName;
  readonly model?: string;
  /** The folder, which the worker's machine must have; or a repository, which is cloned. */
  readonly cwd?: string;
  readonly repo?: string;
  readonly ref?: string;
  /** Labels that a worker must have to take it. */
  readonly needs?: readonly string[];
  /** Higher ones come first. */
  readonly priority?: number;
  /** The same key twice is one run. */
  readonly key?: string;
}

/** Who has answered, and where. */
export interface Answerer {
  readonly by: string;
  readonly channel: string;
}

export interface TakenRun extends RunOrder {
  readonly run_id: string;
  readonly agent: RunAgentName;
  /** Set once a real program was started: on which machine, and its session as far as it is known. */
  readonly session?: { readonly id?: string; readonly machine_id: string };
  /** Goes with every change of the run. */
  readonly fence: number;
  /** From 1 on. */
  readonly attempt: number;
  /** The attempts in a row, this one included, before which the agent had got no further. */
  readonly tries: number;
  readonly answer?: HumanAnswer;
  readonly answered?: Answerer;
}

export type AttemptEnd =
  /** The agent has answered. */
  | { readonly state: "done"; readonly result: RunResult }
  /** It ended in a way that another attempt would not change. */
  | { readonly state: "failed"; readonly error: string; readonly result?: RunResult }
  /** It failed, and may succeed later. `progressed`: not without having got further. */
  | { readonly state: "again"; readonly error: string; readonly progressed: boolean }
  | { readonly state: "waiting"; readonly waiting_for: WaitingFor }
  /** The worker ends: any other may go on at once. */
  | { readonly state: "handed back" }
  /** This worker can't do it, and any other may: no attempt of the run. */
  | { readonly state: "not here"; readonly why: string; readonly fault?: MachineFault };

/** What is wrong with the worker's machine itself, and not with a provider or a run. */
export interface MachineFault {
  /** Looks again. Never rejects. */
  readonly isMended: (signal: AbortSignal) => Promise<boolean>;
}

export interface RunResult {
  readonly text: string;
  /** Of a run in a clone: its branch, and what changed there. */
  readonly branch?: string;
  readonly patch?: string;
  /** The folder of the clone on its machine, when the patch is too long or has lost something that looks like a secret. */
  readonly clone?: string;
}

/** A run as people see it. */
export interface RunStatus {
  readonly run_id: string;
  readonly state: RunState;
  readonly attempts: number;
  readonly worker: string | null;
  readonly machine: string | null;
  /** The messages of its agent so far. */
  readonly steps: number;
  readonly session_id: string;
  readonly submitted_at: string;
  readonly task: string;
  readonly agent: RunAgentName;
  /** How its last attempt began, when that was not its first one. */
  readonly note?: string;
  readonly usage?: Usage;
  readonly error?: string;
  readonly waiting_for?: WaitingFor;
  readonly result?: RunResult;
}

/** A worker as people see it. */
export interface WorkerStatus {
  readonly id: string;
  readonly machine: string;
  readonly running: number;
  readonly concurrency: number;
  readonly labels: readonly string[];
  /** Why it takes no runs. */
  readonly cordoned?: Cordon;
  readonly seen_at: string;
}

/** Why a worker takes no runs, and who has said so. */
export interface Cordon {
  readonly by: string;
  readonly why?: string;
  /** It ends once its runs have ended. */
  readonly drains?: true;
}

/** After so many attempts in a row that got no further, a run is dead. */
export const MOST_TRIES = 5;

export interface RunSite {
  readonly folder: string;
  /** True for a clone that no earlier attempt has worked in. */
  readonly isNewClone: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly report: (text: string) => void;
  readonly redact: (text: string) => string;
  /** The result of the run when its agent has said this last. */
  readonly resultOf: (text: string) => Promise<RunResult>;
}

/** What an agent is told that goes on after an interruption. */
export const GO_ON = "The work on your task was interrupted. Look at what is done, then go on with it.";
export const NEW_CLONE =
  "Your work goes on on another machine, in a new clone: what you had changed in files is not there. Do it again.";
