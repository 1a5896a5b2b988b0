import { recordedProjects } from "../projects.ts";
import { type Damage, readJournal } from "../read-journal.ts";
import { dayCounter, runCounter } from "../stats.ts";
import { hasSomething, isRefusal } from "../verdict.ts";
import type { Activity, ActivityQuery, Recorded } from "./activity.ts";

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
  const isShown = ({ record }: Recorded): boolean =>
    isRefusal(record) || record.happened !== undefined || hasSomething(record);
  return {
    refresh,
    records: ({ hook, all = false, ...query }) =>
      fitting(query).filter(
        (one) =>
          (all || isShown(one)) && (hook === undefined || one.record.runs.some(({ name }) => name === hook)),
      ),
    aboutCall: (session, toolUse) =>
      found
        .filter(({ record }) => record.session_id === session && record.event.tool_use_id === toolUse)
        .map(({ record }) => record)
        .reverse(),
    stats(query, byProject = false) {
      const [runs, days] = [runCounter(), dayCounter()];
      for (const { record, project } of fitting(query)) {
        runs.add(record, byProject ? project : undefined);
        days.add(record);
      }
      return { since: query.since, hooks: runs.stats(), days: days.days(), sessions: days.sessions() };
    },
    sessions: (since) => [...new Set(fitting({ since }).map(({ record }) => record.session_id))],
    damage: () => damaged,
    close: () => undefined,
  };
}
