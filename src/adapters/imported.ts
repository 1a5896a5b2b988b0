/** Hooks of another agent as ours, and what of them could not be carried over. */
export interface Imported {
  readonly definitions: readonly Readonly<Record<string, unknown>>[];
  /** One sentence for each loss. */
  readonly report: readonly string[];
}
