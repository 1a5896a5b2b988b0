import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { ActivityStore } from "../../journal/activity/sqlite-activity.ts";
import { isJournalRecord, type JournalRecord } from "../../journal/record.ts";
import { fileIdentity } from "../../node/files/file-identity.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { MonitorStore } from "../../shared/monitor/monitor.ts";

const MARK = "records";
const PAGE = 200;
const BEFORE_MILLISECONDS = 24 * 60 * 60 * 1000;

interface Options {
  readonly store: MonitorStore;
  /** The file of that store: another one counts its events anew. */
  readonly file: string;
  readonly isHeard: () => boolean;
}

/**
 * What hooks decided is seen on every machine of a team: each puts the records of its journals among its events, which
 * travel as all do, and takes those of the others into its own history.
 */
export function sharedRecords({ store, file, isHeard }: Options) {
  const tell = async ({ machines }: ActivityStore): Promise<void> => {
    const mark = await store.update((tables) => tables.mark(MARK));
    const known = mark === undefined ? machines.before(Date.now() - BEFORE_MILLISECONDS) : Number(mark);
    // A history that was begun anew counts from 1.
    for (let at = known > machines.last() ? 0 : known; ; ) {
      const page = machines.own(at, PAGE);
      const last = page.at(-1);
      if (last === undefined) return;
      at = last.seq;
      await store.update((tables) => {
        for (const { record, project } of page) tables.addEvent(recordedEvent(record, project));
        tables.putMark(MARK, String(at));
      });
    }
  };
  const take = async ({ machines }: ActivityStore): Promise<void> => {
    const source = fileIdentity(statSync(file));
    for (;;) {
      const page = await store.eventsAfter(machines.readTo(source), PAGE);
      const last = page.at(-1);
      if (last === undefined) return;
      const records = page.flatMap(({ event }) => {
        const [found, machine] = [recordIn(event), event.machine];
        return found === undefined || machine === undefined ? [] : [{ ...found, machine }];
      });
      await machines.take(source, last.position, records);
    }
  };
  return async (activity: ActivityStore): Promise<void> => {
    if (isHeard()) await tell(activity);
    await take(activity);
  };
}

/** A record of this machine's journal as an event: the same one has the same id, however often it is read. */
function recordedEvent(record: JournalRecord, project: string | undefined): MonitorEvent {
  const digest = createHash("sha256").update(JSON.stringify(record)).digest("hex");
  return {
    v: 1,
    id: `r${digest.slice(0, 32)}`,
    time: record.time,
    type: "hooks:recorded",
    agent_id: "journal",
    session_id: record.session_id,
    record,
    project,
  };
}

/** The record that an event has, with its project; `undefined` for any other event. */
function recordIn(
  event: MonitorEvent,
): { readonly record: JournalRecord; readonly project: string | undefined } | undefined {
  const { type, record, project } = event;
  if (type !== "hooks:recorded" || !isJournalRecord(record)) return undefined;
  return { record, project };
}
