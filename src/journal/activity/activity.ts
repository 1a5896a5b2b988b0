import type { Damage } from "../read-journal.ts";
import type { JournalRecord } from "../record.ts";
import type { DayStats, RecordedStats } from "../stats.ts";

/** A record with the project it belongs to, where that is known. */
export interface Recorded {
  readonly record: JournalRecord;
  readonly project: string | undefined;
}

export interface ActivityQuery {
  readonly since: Date;
  /** Of this project, and those of which nobody knows where they belong. Default: of all. */
  readonly project?: string | undefined;
  readonly session?: string | undefined;
}

export interface RecordQuery extends ActivityQuery {
  /** Only those in which this hook ran. */
  readonly hook?: string | undefined;
  /** Also those without anything to say. */
  readonly all?: boolean;
}

/** What hooks and humans decided, in numbers. */
export interface ActivityStats {
  /** Counted from the beginning of this hour. */
  readonly since: Date;
  readonly hooks: readonly RecordedStats[];
  /** The last day first. */
  readonly days: readonly DayStats[];
  readonly sessions: number;
}

/** The history of decisions, for commands and pages. */
export interface Activity {
  /** The newest first. Reads some at a time: stop when you have enough. */
  records(query: RecordQuery): Iterable<Recorded>;
  /** What is recorded about a tool call, the oldest first: of decisions, only those that said something. */
  aboutCall(sessionId: string, toolUseId: string): readonly JournalRecord[];
  /** @param byProject counts each hook in each project. */
  stats(query: ActivityQuery, byProject?: boolean): ActivityStats;
  sessions(since: Date): readonly string[];
  /** Lines of the journal that can't be read. */
  damage(since: Date): readonly Damage[];
  /** Takes in what was recorded since it was opened. Resolves with false when more is left than there was time for. */
  refresh(milliseconds: number): Promise<boolean>;
  close(): void;
}
