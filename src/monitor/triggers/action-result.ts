/** How an action of the monitor ended: fields of the event that reports it. */
export type ActionResult = Readonly<Record<string, unknown>> & {
  readonly ok: boolean;
  /** Why it failed, a sentence for a human. */
  readonly why?: string;
  /** True when a human need not be asked about the failure: the agent waits for something else. */
  readonly moot?: true;
};
