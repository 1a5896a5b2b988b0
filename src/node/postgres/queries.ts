/** A value of a statement. */
export type SqlValue =
  | string
  | number
  | boolean
  | Date
  | null
  | readonly (string | null)[]
  | readonly number[];

/** What takes statements: a database, or a transaction in it. */
export interface Queries {
  /** Runs one statement. Without values it may be several, separated by semicolons. */
  query<Row = unknown>(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
}
