import type { DecodedEvent } from "../../adapters/adapter.ts";
import { endOfFile } from "../../node/files/end-of-file.ts";
import { journalFile, journalFolder, lastRotated } from "../../stores/journal/files.ts";
import { type JournalRecord, readRecord, recordedId } from "../../stores/journal/record.ts";

/** More of a session's journal is not read back. */
const MOST_BYTES = 4_000_000;

/**
 * What this session's earlier events left in the journal, for a process that sees only one of them: in the file that is
 * written to, and in the one that was put aside before it. Never throws.
 */
export function sessionRecords(sessionId: string, environment: NodeJS.ProcessEnv): readonly JournalRecord[] {
  const session = recordedId(sessionId);
  const folder = journalFolder(environment);
  const aside = lastRotated(folder, session);
  return [...(aside === undefined ? [] : [aside]), journalFile(folder, session)]
    .flatMap((file) => endOfFile(file, MOST_BYTES).split("\n"))
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
