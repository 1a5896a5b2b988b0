import { dayOf } from "../../shared/day-of.ts";
import { recordedProjects } from "../projects.ts";
import { type Damage, readJournal } from "../read-journal.ts";
import { type DayStats, decidedCount, runCounter } from "../stats.ts";
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
      const records = fitting(query);
      const counter = runCounter();
      for (const { record, project } of records) counter.add(record, byProject ? project : undefined);
      const decisions = records.map(({ record }) => record).filter(({ type }) => type === "decision");
      const days = new Map<string, { day: DayStats; ids: Set<string> }>();
      for (const record of decisions) {
        const [date, agent] = [dayOf(record.time), String(record.event.host ?? "-")];
        const empty = { day: date, agent, sessions: 0, decisions: 0, stopped: 0, asked: 0, keep_goings: 0 };
        const { day, ids } = days.get(`${date} ${agent}`) ?? { day: empty, ids: new Set() };
        const { stopped, asked, keep_goings } = decidedCount(record);
        ids.add(record.session_id);
        days.set(`${date} ${agent}`, {
          ids,
          day: {
            ...day,
            sessions: ids.size,
            decisions: day.decisions + 1,
            stopped: day.stopped + stopped,
            asked: day.asked + asked,
            keep_goings: day.keep_goings + keep_goings,
          },
        });
      }
      return {
        since: query.since,
        hooks: counter.stats(),
        days: [...days.values()].map(({ day }) => day).sort(byDay),
        sessions: new Set(decisions.map(({ session_id }) => session_id)).size,
      };
    },
    sessions: (since) => [...new Set(fitting({ since }).map(({ record }) => record.session_id))],
    damage: () => damaged,
    close: () => undefined,
  };
}

/** The last day first, then the agent with most decisions. */
function byDay(a: DayStats, b: DayStats): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  return b.decisions - a.decisions || (a.agent < b.agent ? -1 : 1);
}
