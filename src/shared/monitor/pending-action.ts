import type { DecisionSource } from "./decisions.ts";
import type { ActionName, TriggerName } from "./triggers.ts";

/** How often a trigger has acted, and when it last did. */
export interface Attempts {
  readonly count: number;
  readonly last: string;
}

/** Something that the monitor does outside of its store: it sends a message, resumes a session or runs a command. */
export interface PendingAction {
  /** The id of the event that began it. */
  readonly id: string;
  readonly time: string;
  readonly action: ActionName;
  /** The trigger that began it; absent when a human did. */
  readonly trigger?: TriggerName;
  /** What a human is asked when it fails. */
  readonly source: DecisionSource;
  readonly message?: string;
  /** `check`: the command and its seconds. */
  readonly run?: string;
  readonly timeout?: number;
  /** `check`: the trigger that has it. */
  readonly check_of?: TriggerName;
  readonly asked?: true;
  /** The answer that continues a suspended agent, as `tenterhook sessions resume --answer` reads it, and the decision it answers. */
  readonly answer?: unknown;
  readonly decision?: string;
}
