import { SessionWriter, type WriteFiles } from "./session-writer.ts";

/** Writers remember the ids of a session's messages; those of sessions long untouched are let go. */
const MOST_IDLE = 64;

/** The writers of a store, one for each file. */
export interface SessionWriters {
  of(file: string): SessionWriter;
  settled(): Promise<void>;
}

/** Nothing is written yet. */
export function sessionWriters(files: WriteFiles): SessionWriters {
  const writers = new Map<string, SessionWriter>();
  return {
    of(file) {
      const writer = writers.get(file) ?? new SessionWriter(file, files);
      // Behind all others, so that the first ones are those not used for longest.
      writers.delete(file);
      writers.set(file, writer);
      for (const [name, other] of writers) {
        if (writers.size <= MOST_IDLE) break;
        if (other.busy || name === file) continue;
        writers.delete(name);
        // A process may have few files open, and there may be many sessions.
        other.letGo();
      }
      return writer;
    },
    async settled() {
      await Promise.all([...writers.values()].map((writer) => writer.settled()));
    },
  };
}
