import type { RunResult } from "./run.ts";

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
