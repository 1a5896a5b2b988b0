/** A program that `.agent/hook.toml` names: argv, no shell. */
export interface TurnHookCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The programs for the start and the end of a turn. */
export interface TurnHooks {
  readonly turn_start?: TurnHookCommand & { readonly run_on_hook_input: boolean };
  readonly turn_end?: TurnHookCommand;
  /** Where they start. Default: the workspace. */
  readonly folder?: string;
  /** True when the user has trusted the file: its programs count as approved. A deny rule still holds. */
  readonly trusted: boolean;
}

/**
 * Reads the turn hooks of a workspace at each turn; `undefined` when there are none. A rejection is shown as an error;
 * no hook runs then, and the session goes on.
 */
export type TurnHookSource = (workspace: string, signal: AbortSignal) => Promise<TurnHooks | undefined>;

export type TurnHookName = "TurnStart" | "TurnEnd";
