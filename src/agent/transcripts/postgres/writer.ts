import { TenterhookError } from "../../../core/base/errors.ts";
import type { TranscriptOwner } from "../../../core/contracts/transcript.ts";
import type { Postgres } from "../../../node/postgres/open-postgres.ts";
import { keyOf, optionalKey } from "../columns.ts";
import { firstMetadata } from "../metadata.ts";
import type { HeldClaims } from "./held-claims.ts";
import { addAgent } from "./rows.ts";

interface Entry {
  /** The id of a message; absent for an item of the activity. */
  readonly message?: string;
  readonly json: string;
}

/** Entries of one agent that wait until those before them are stored. */
interface Batch {
  readonly owner: TranscriptOwner;
  readonly time: string;
  readonly entries: Entry[];
  readonly stored: Promise<void>;
}

/**
 * Stores entries: those of an agent one after the other, in order, and those that arrive meanwhile together. Agents do not
 * wait for each other.
 */
export function entryWriter(opened: () => Promise<Postgres>, claims: HeldClaims) {
  const waiting = new Map<string, Batch>();
  const last = new Map<string, Promise<void>>();

  const begin = (owner: TranscriptOwner, time: string): Batch => {
    const key = keyOf(owner.agent_id);
    const entries: Entry[] = [];
    const before = last.get(key)?.catch(() => undefined) ?? Promise.resolve();
    const stored = before.then(() => {
      waiting.delete(key);
      return store(owner, time, entries);
    });
    last.set(key, stored);
    const done = (): void => {
      if (last.get(key) === stored) last.delete(key);
    };
    stored.then(done, done);
    const batch = { owner, time, entries, stored };
    waiting.set(key, batch);
    return batch;
  };

  const store = async (owner: TranscriptOwner, time: string, entries: readonly Entry[]): Promise<void> => {
    const database = await opened();
    const { agents, ids } = claims.of(owner);
    const append = async (): Promise<boolean | null | undefined> => {
      const [row] = await database.query<{ readonly written: boolean | null }>(
        "SELECT tenterhook.append_to_transcript($1, $2, $3, $4, $5) AS written",
        [
          keyOf(owner.agent_id),
          agents,
          ids,
          entries.map(({ message }) => optionalKey(message)),
          entries.map(({ json }) => json),
        ],
      );
      return row?.written;
    };
    let written = await append();
    if (written == null) {
      await addAgent(database, firstMetadata(owner, time));
      written = await append();
    }
    if (written !== true) throw takenOver(owner);
  };

  return {
    write(entry: Entry, owner: TranscriptOwner, time: string): Promise<void> {
      const batch = waiting.get(keyOf(owner.agent_id)) ?? begin(owner, time);
      batch.entries.push(entry);
      return batch.stored;
    },
    /** Resolves when nothing is left to write. Never rejects. */
    async settled(): Promise<void> {
      while (last.size > 0) await Promise.allSettled(last.values());
    },
  };
}

/** What a process hears that has lost its claim. */
export function takenOver({ agent_id }: TranscriptOwner): TenterhookError {
  return new TenterhookError(
    "agent_changed",
    `Agent "${agent_id}" was taken over by another process: nothing was written.`,
  );
}
