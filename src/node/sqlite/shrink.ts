import { setImmediate as immediate } from "node:timers/promises";
import type { DatabaseSyncInstance } from "tenterhook-sqlite";
import type { OpenDatabase } from "./open-database.ts";
import { whenFree } from "./transaction.ts";

/** Pages that are given back at a time: a few milliseconds. */
const STEP_PAGES = 200;

/** Repeats a step until it has nothing more to do. Others have their turn in between. */
export async function inSteps(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0) await immediate();
}

function numberOf(database: DatabaseSyncInstance, name: string): number {
  const row: Readonly<Record<string, number>> = database.prepare(`PRAGMA ${name}`).get();
  return Number(Object.values(row)[0]);
}

/** What the rows of a database take. */
export function usedBytes(database: DatabaseSyncInstance): number {
  const pages = numberOf(database, "page_count") - numberOf(database, "freelist_count");
  return pages * numberOf(database, "page_size");
}

/** Gives the room of deleted rows back to the disk. */
export async function shrink({ file, database }: OpenDatabase): Promise<void> {
  const free = (): number => numberOf(database, "freelist_count");
  await inSteps(async () => {
    const before = free();
    if (before > 0) await whenFree(file, () => database.exec(`PRAGMA incremental_vacuum(${STEP_PAGES})`));
    return before - free();
  });
}
