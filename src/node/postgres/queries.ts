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

/** Hears of changes until it is closed. */
export interface Follower {
  close(): Promise<void>;
}

/**
 * Called when something may have changed: with what was told, or with nothing when news may have been missed, which is so
 * at the beginning, after an interruption and every few seconds. The tables are the truth: look there.
 */
export type OnNews = (text: string | undefined) => void;
