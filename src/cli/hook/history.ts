import type { DecodedEvent } from "../../adapters/adapter.ts";
import { endOfFile } from "../../node/files/end-of-file.ts";
import { journalFile, journalFolder } from "../../stores/journal/files.ts";
import { type JournalRecord, readRecord, recordedId } from "../../stores/journal/record.ts";

/** More of a session's journal is not read back. */
const MOST_BYTES = 4_000_000;

/** What this session's earlier events left in the journal, for a process that sees only one of them. Never throws. */
export function sessionRecords(sessionId: string, environment: NodeJS.ProcessEnv): readonly JournalRecord[] {
  const session = recordedId(sessionId);
  return endOfFile(journalFile(journalFolder(environment), session), MOST_BYTES)
    .split("\n")
    .flatMap((line) => {
      const record = readRecord(line);
      return record?.session_id === session ? [record] : [];
    });
}

/**
 * How often hooks kept this turn going so far. An agent that says whether it was kept going (`stop_hook_active`) begins a
 * turn with a stop of which that is false, or with a prompt, whoever else keeps it going in between; with others a turn
 * begins after the last stop that was let pass.
 */
export function continuationsBefore(event: DecodedEvent, records: readonly JournalRecord[]): number {
  if (event.stop_hook_active === false) return 0;
  const agent = event.agent_id ?? event.session_id;
  let count = 0;
  for (const { event: earlier, decision } of records.toReversed()) {
    if (earlier.agent_id !== agent) continue;
    if (earlier.hook_event_name === "UserPromptSubmit") break;
    if (earlier.hook_event_name !== event.hook_event_name) continue;
    if (decision?.keep_going !== undefined) count += 1;
    else if (event.stop_hook_active !== true) break;
    if (earlier.stop_hook_active === false) break;
  }
  return count;
}

/** The hooks that have had a turn at this event in this session. */
export function hooksRunBefore(event: DecodedEvent, records: readonly JournalRecord[]): ReadonlySet<string> {
  return new Set(
    records
      .filter(({ event: earlier }) => earlier.hook_event_name === event.hook_event_name)
      .flatMap(({ runs }) => runs.filter(({ skipped }) => skipped === undefined).map(({ name }) => name)),
  );
}
