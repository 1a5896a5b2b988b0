import { closeSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { fileIdentity } from "../../node/files/file-identity.ts";
import { makePrivateFolder } from "../../node/files/folders.ts";
import { openOwnFile } from "../../node/files/own-file.ts";
import { type Grown, readGrown } from "../../node/files/read-grown.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { MonitorStore } from "../../shared/monitor/monitor.ts";
import { ACTION } from "../report/actions.ts";
import { eventIn, spoolFolder } from "../report/spool.ts";
import { SPOOL_FILE, spoolFiles } from "../report/spool-files.ts";
import { failuresOnce } from "../tick.ts";
import { inOurTime, isRecent } from "./as-stored.ts";
import { takeWhatCanBe } from "./take-in.ts";

/** From then on it is said that the store is behind. */
const LONG_MILLISECONDS = 1000;
const LONG = "It takes long. Another process may be writing to the monitor's database.";

/** The mark in the store that says how far the spool is taken in. */
const POSITIONS = "spool";

/** Takes the spool in as somebody asks, from where an earlier daemon stood. */
export async function openIntake(
  store: MonitorStore,
  environment: NodeJS.ProcessEnv,
  onError: (error: unknown) => void,
) {
  const folder = spoolFolder(environment);
  makePrivateFolder(folder);
  const stored = await store.update((tables) => tables.mark(POSITIONS));
  const before: Positions = JSON.parse(stored ?? "{}");
  const reader = spoolReader(folder, before);
  // What was read and could not be stored: nothing after it may be stored before it.
  let left: readonly MonitorEvent[] = [];
  const takeAll = async (): Promise<void> => {
    // Others go on writing: what comes later is for the next time.
    const written = reader.written();
    while (left.length > 0 || !reader.hasRead(written)) {
      if (left.length === 0) left = reader.next().map((event) => inOurTime(event, Date.now()));
      if (left.length === 0) break;
      const mark = { name: POSITIONS, value: JSON.stringify(reader.positions()) };
      await takeWhatCanBe(store, left.filter(isRecent), { mark, onError });
      left = [];
      // Clients are answered in between.
      await immediate();
    }
    tidySpool(folder, Date.now(), written);
  };
  const { fail, succeed, problem } = failuresOnce(onError);
  /** When the present run began. */
  let since = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  /**
   * Resolves when everything that was written before the call is stored. One run at a time, and one that waits for all
   * who ask meanwhile.
   */
  const drain = (): Promise<void> => {
    next ??= (running ?? Promise.resolve()).then(() => {
      running = next;
      next = undefined;
      since = performance.now();
      return takeAll()
        .then(succeed, fail)
        .finally(() => {
          since = Number.POSITIVE_INFINITY;
        });
    });
    return next;
  };
  return {
    drain,
    /** Why what was reported can't be stored at the moment. */
    problem: () => problem() ?? (performance.now() - since > LONG_MILLISECONDS ? LONG : undefined),
  };
}

/** So few that the daemon answers clients in between, and more than the longest line. */
const MOST_BYTES = 300_000;

/** By the identity of a file. */
export type Positions = Readonly<Record<string, number>>;

/**
 * Reads a spool that others append to, rename and delete. A file is known by its identity, so that one that was renamed
 * is read on where it stood; an incomplete last line is read when it is whole.
 *
 * @param before how far an earlier reader came.
 */
export function spoolReader(folder: string, before: Positions = {}) {
  const positions = new Map(Object.entries(before));
  return {
    /** How far the files of the spool are read, for a reader that goes on there. */
    positions(): Positions {
      const there = sizesIn(folder);
      for (const identity of positions.keys()) if (!there.has(identity)) positions.delete(identity);
      return Object.fromEntries(positions);
    },
    /** How far they are written now. */
    written: (): Positions => Object.fromEntries(sizesIn(folder)),
    hasRead: (written: Positions): boolean =>
      Object.entries(written).every(([identity, size]) => (positions.get(identity) ?? 0) >= size),
    /** The events that were written since the last call; some at a time, none when all are read. Never throws. */
    next(): readonly MonitorEvent[] {
      for (const name of spoolFiles(folder)) {
        const { identity, next, lines } = newLines(join(folder, name), positions) ?? {};
        if (identity === undefined || next === undefined || lines === undefined) continue;
        positions.set(identity, next);
        const events = lines.flatMap(eventIn).filter(isOfHook);
        if (events.length > 0) return events;
      }
      return [];
    },
  };
}

/** False for actions of the monitor itself, which it stores without the spool: others must not have it act. */
function isOfHook({ type, in_hook }: MonitorEvent): boolean {
  return type !== ACTION || in_hook === true;
}

function sizesIn(folder: string): ReadonlyMap<string, number> {
  const files = spoolFiles(folder).map((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
  return new Map(files.flatMap((status) => (status ? [[fileIdentity(status), status.size] as const] : [])));
}

/** What a file of this user has grown by; `undefined` when it can't be read. */
function newLines(file: string, positions: ReadonlyMap<string, number>): Grown | undefined {
  const opened = openOwnFile(file);
  if (opened === undefined) return undefined;
  try {
    return readGrown(opened.descriptor, (identity) => positions.get(identity) ?? 0, MOST_BYTES);
  } catch {
    return undefined;
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Hooks that decide without the monitor read what happened before in the agent's turn. */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;
const KEPT_FILES = 8;

/**
 * Deletes full files that nobody needs any more. Never throws.
 *
 * @param taken the files that are taken in, by their identity: others may have come since.
 */
export function tidySpool(folder: string, now: number, taken: Positions): void {
  try {
    const full = spoolFiles(folder).filter((name) => name !== SPOOL_FILE);
    for (const [at, name] of full.reverse().entries()) {
      const file = join(folder, name);
      const status = statSync(file, { throwIfNoEntry: false });
      if (status === undefined || !(fileIdentity(status) in taken)) continue;
      if (at >= KEPT_FILES || now - status.mtimeMs > KEPT_MILLISECONDS) rmSync(file, { force: true });
    }
  } catch {
    // Another time.
  }
}
