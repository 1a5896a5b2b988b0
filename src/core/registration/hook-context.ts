/** What a hook may know of the agent that fired the event, inside the runtime. */
export interface AgentView {
  readonly id: string;
  readonly type: string;
  readonly model?: string;
  readonly messages?: readonly unknown[];
}

/** What a handler can tell of a run, beside what the hook said. */
export interface RunFacts {
  /** How its program ended. */
  readonly exit_code?: number;
  /** True when the answer was kept from an earlier run. */
  readonly cached?: true;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
}

/** What a hook gets beside the event. */
export interface HookContext {
  /** Aborted when the hook runs out of time or the run is cancelled. Made when it is first asked for. */
  readonly signal: AbortSignal;
  /** One map shared by all hooks of a run. */
  readonly values: Map<string, unknown>;
  /** The agent, inside the runtime. */
  readonly agent?: AgentView | undefined;
  /** The tool's definition, inside the runtime. */
  readonly tool?: unknown;
  /** True when the hook is asked about the final input after a rewrite: only what it says about the call counts. */
  readonly recheck?: true | undefined;
  /** Shows a piece of live output to observers while the hook runs. */
  readonly output: (text: string, stream?: "stdout" | "stderr") => void;
  /** Adds facts to the record of this run. */
  readonly record: (facts: RunFacts) => void;
}
