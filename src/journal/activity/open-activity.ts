import { recordedProjects } from "../projects.ts";
import { type Damage, readJournal } from "../read-journal.ts";
import { countedRecords } from "../stats.ts";
import { isTelling } from "../verdict.ts";
import type { Activity, ActivityQuery, Recorded } from "./activity.ts";
import { sqliteActivity } from "./sqlite-activity.ts";

/** How long a command takes journals in before it answers; the daemon has usually done so. */
const REFRESH_MILLISECONDS = 1500;

/** What a user reads then. */
export const BEHIND =
  "Older decisions are still being taken in; the next time more of them are there. A running daemon does it by itself.";

/**
 * The history of decisions up to now. Without a database that can be used, only the end of it.
 *
 * @returns with `whole: false` when some journals are still to be taken in.
 */
export async function openActivity(
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly activity: Activity; readonly whole: boolean }> {
  try {
    const activity = await sqliteActivity(environment);
    try {
      return { activity, whole: await activity.refresh(REFRESH_MILLISECONDS) };
    } catch (error) {
      activity.close();
      throw error;
    }
  } catch {
    const activity = await activityInFiles(environment);
    return { activity, whole: await activity.refresh(REFRESH_MILLISECONDS) };
  }
}

/** Reads, and closes what was opened. */
export function closing<Result>(activity: Activity, read: () => Result): Result {
  try {
    return read();
  } finally {
    activity.close();
  }
}

/** As much as is read in a second. */
const MOST_BYTES = 50_000_000;

/** The end of the history, from the journals themselves: for where there is no SQLite, or its file can't be used. */
export async function activityInFiles(environment: NodeJS.ProcessEnv): Promise<Activity> {
  let found: Recorded[] = [];
  let damaged: Damage[] = [];
  const refresh = async (): Promise<boolean> => {
    const projectOf = recordedProjects();
    [found, damaged] = [[], []];
    const onDamage = (damage: Damage): void => void damaged.push(damage);
    for await (const record of readJournal({ environment, mostBytes: MOST_BYTES, onDamage }))
      found.push({ record, project: projectOf(record) });
    found.reverse().sort(({ record: a }, { record: b }) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
    return true;
  };
  const fitting = ({ since, project, session }: ActivityQuery): readonly Recorded[] =>
    found.filter(
      ({ record, project: own = project }) =>
        record.time >= since.toISOString() &&
        (project === undefined || own === project) &&
        (session === undefined || record.session_id === session),
    );
  return {
    refresh,
    records: ({ hook, all = false, ...query }) =>
      fitting(query).filter(
        (one) =>
          (all || isTelling(one.record)) &&
          (hook === undefined || one.record.runs.some(({ name }) => name === hook)),
      ),
    aboutCall: (session, toolUse) =>
      found
        .filter(({ record }) => record.session_id === session && record.event.tool_use_id === toolUse)
        .map(({ record }) => record)
        .reverse(),
    stats: (query, byProject) => ({ since: query.since, ...countedRecords(fitting(query), byProject) }),
    sessions: (since) => [...new Set(fitting({ since }).map(({ record }) => record.session_id))],
    damage: () => damaged,
    close: () => undefined,
  };
}
