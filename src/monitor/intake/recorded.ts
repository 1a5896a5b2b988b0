import { createHash } from "node:crypto";
import { isJournalRecord, type JournalRecord } from "../../journal/record.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";

/** What hooks decided, as the journal of a machine has it. It changes no agent: it is on its way to other machines. */
export const RECORDED = "hooks:recorded";

/** A record of this machine's journal as an event: the same one has the same id, however often it is read. */
export function recordedEvent(record: JournalRecord, project: string | undefined): MonitorEvent {
  const digest = createHash("sha256").update(JSON.stringify(record)).digest("hex");
  return {
    v: 1,
    id: `r${digest.slice(0, 32)}`,
    time: record.time,
    type: RECORDED,
    agent_id: "journal",
    session_id: record.session_id,
    record,
    ...(project === undefined ? {} : { project }),
  };
}

/** The record that an event has, with its project; `undefined` for any other event. */
export function recordIn(
  event: MonitorEvent,
): { readonly record: JournalRecord; readonly project: string | undefined } | undefined {
  const { type, record, project } = event;
  if (type !== RECORDED || !isJournalRecord(record)) return undefined;
  return { record, project };
}
