import { randomUUID } from "node:crypto";
import { setImmediate as nextMoment } from "node:timers/promises";
import { TenterhookError } from "../../../core/base/errors.ts";
import type {
  TranscriptChanges,
  TranscriptMetadata,
  TranscriptOwner,
} from "../../../core/contracts/transcript.ts";
import type { Postgres } from "../../../node/postgres/open-postgres.ts";
import type { Queries } from "../../../node/postgres/queries.ts";
import { changedMetadata, firstMetadata } from "../records.ts";
import { agentColumns, keyOf, optionalKey, readMetadata } from "../sql.ts";
import type { HeldClaims } from "./held-claims.ts";

interface Entry {
  /** The id of a message; absent for an item of the activity. */
  readonly message?: string;
  readonly json: string;
}

/** What waits to be stored for one agent until what came before is stored. */
interface Batch {
  readonly id: string;
  readonly owner: TranscriptOwner;
  readonly time: string;
  readonly entries: Entry[];
  readonly changes: { readonly changes: TranscriptChanges; readonly time: string }[];
}

interface WaitingBatch extends Batch {
  readonly stored: Promise<void>;
}

/** A statement that knows nothing of the agent: it creates the agent, or writes nothing. */
export const NOTHING_KNOWN = "";

/**
 * Stores entries and changes: those of an agent one after the other, in order, and together what comes in the same moment or
 * while others are stored. Agents do not wait for each other.
 */
export function transcriptWriter(opened: () => Promise<Postgres>, claims: HeldClaims) {
  const waiting = new Map<string, WaitingBatch>();
  const last = new Map<string, Promise<void>>();

  const begin = (owner: TranscriptOwner, time: string): WaitingBatch => {
    const key = keyOf(owner.agent_id);
    const batch: Batch = { id: randomUUID(), owner, time, entries: [], changes: [] };
    const before = last.get(key)?.catch(() => undefined) ?? nextMoment();
    const stored = before.then(() => {
      waiting.delete(key);
      return store(batch);
    });
    last.set(key, stored);
    const done = (): void => {
      if (last.get(key) === stored) last.delete(key);
    };
    stored.then(done, done);
    const begun = { ...batch, stored };
    waiting.set(key, begun);
    return begun;
  };
  const batchOf = (owner: TranscriptOwner, time: string): WaitingBatch =>
    waiting.get(keyOf(owner.agent_id)) ?? begin(owner, time);

  const store = async ({ id, owner, time, entries, changes }: Batch): Promise<void> => {
    const database = await opened();
    const { agents, ids } = claims.of(owner);
    const first = firstMetadata(owner, time);
    let { metadata: known } = claims.last(owner.agent_id);
    for (;;) {
      const metadata = changes.reduce(
        (before, { changes: one, time: at }) => changedMetadata(before, one, at),
        readMetadata(known) ?? first,
      );
      const written = await writeTranscript(database, id, metadata, [
        changes.length === 0 ? null : (known ?? NOTHING_KNOWN),
        ...[agents, ids, entries.map(({ message }) => optionalKey(message)), entries.map(({ json }) => json)],
      ]);
      if (written === "claim lost") throw takenOver(owner);
      if (written === "written") {
        if (changes.length > 0) claims.remember(owner.agent_id, { metadata: JSON.stringify(metadata) });
        return;
      }
      const [row] = await database.query<{ readonly metadata: string }>(
        "SELECT metadata FROM tenterhook.transcripts WHERE agent = $1",
        [keyOf(owner.agent_id)],
      );
      known = row?.metadata;
    }
  };

  return {
    write(entry: Entry, owner: TranscriptOwner, time: string): Promise<void> {
      const { entries, stored } = batchOf(owner, time);
      entries.push(entry);
      return stored;
    },
    change(changes: TranscriptChanges, owner: TranscriptOwner, time: string): Promise<void> {
      const batch = batchOf(owner, time);
      batch.changes.push({ changes, time });
      return batch.stored;
    },
    /** Resolves when nothing is left to write. Never rejects. */
    async settled(): Promise<void> {
      while (last.size > 0) await Promise.allSettled(last.values());
    },
  };
}

/** The metadata that the agent is known to have (null: it stays as it is); agents and ids of claims; messages and JSON of entries. */
type WriteValues = readonly [before: string | null, ...rest: (readonly (string | null)[])[]];

/**
 * Calls the function of the schema: `written`, `claim lost` or `another came first`.
 *
 * @param batch a new id for what is to be written once.
 */
export async function writeTranscript(
  { query }: Queries,
  batch: string,
  metadata: TranscriptMetadata,
  values: WriteValues,
): Promise<string | undefined> {
  const [row] = await query<{ readonly written: string }>(
    `SELECT tenterhook.write_transcript($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) AS written`,
    [batch, ...agentColumns(metadata), ...values],
  );
  return row?.written;
}

/** What a process hears that has lost its claim. */
function takenOver({ agent_id }: TranscriptOwner): TenterhookError {
  return new TenterhookError(
    "agent_changed",
    `Agent "${agent_id}" was taken over by another process: nothing was written.`,
  );
}
