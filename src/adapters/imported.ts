/** Another agent's hooks as our definitions, and what could not be converted. */
export interface Imported {
  readonly definitions: readonly Readonly<Record<string, unknown>>[];
  /** One sentence per problem. */
  readonly report: readonly string[];
}
