import {
  defaultField,
  defaultsOf,
  type Fields,
  field,
  type ObjectOf,
  schemas,
} from "../../core/base/schemas.ts";

/** The keys of `monitor.history`. */
export const HISTORY_SETTINGS = {
  days: defaultField(schemas.positive, 30, "How long events and decisions of hooks are kept."),
  notable_days: defaultField(schemas.positive, 365, "How long refusals, questions and failures are kept."),
  megabytes: defaultField(
    schemas.positive,
    1000,
    "How large each of the two databases may be; the oldest goes first.",
  ),
  run_days: field(
    schemas.positive,
    "How many days a fleet worker keeps finished runs and their transcripts in the shared database. Default: forever.",
  ),
} as const satisfies Fields;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

export interface KeptFor {
  /** Events, and agents that have ended or whose process is unknown, are deleted if older. */
  readonly since: Date;
  /** What a human was asked, refusals and failures are deleted if older. */
  readonly notableSince: Date;
  /** How large a database may be: the oldest of what is not notable goes first. */
  readonly bytes: number;
}

export function keptFor(settings: ObjectOf<typeof HISTORY_SETTINGS> = {}, now = Date.now()): KeptFor {
  const { days, notable_days, megabytes } = { ...defaultsOf(HISTORY_SETTINGS), ...settings };
  return {
    since: new Date(now - days * DAY_MILLISECONDS),
    notableSince: new Date(now - Math.max(days, notable_days) * DAY_MILLISECONDS),
    bytes: megabytes * 1_000_000,
  };
}
