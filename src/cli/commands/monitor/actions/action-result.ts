/** How an action of the monitor ended: fields of the event that reports it. */
export type ActionResult = Readonly<Record<string, unknown>> & {
  readonly ok: boolean;
  /** Why it failed, a sentence for a human. */
  readonly why?: string;
};
