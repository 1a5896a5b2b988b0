import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { claimFile } from "../../node/files/claim-file.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { rotate } from "../../node/files/rotate.ts";

/*
 * Events are appended to spool.jsonl. A full one becomes spool-1.jsonl, spool-2.jsonl and so on, which the daemon deletes
 * when it has taken them in. Without a daemon, the oldest lose first what can be missed, and are then called spool-1-kept.jsonl.
 */

export const SPOOL_FILE = "spool.jsonl";
const NUMBERED = /^spool-(\d+)(?:-kept)?\.jsonl$/;
const KEPT = "-kept.jsonl";
const DROPPED = "dropped.json";
const FULL_BYTES = 1_000_000;
/** How much may wait for a daemon. */
const MOST_BYTES = 32_000_000;
/** What was dropped is shown for this long. */
const TOLD_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/** What a human is asked or has answered, and what the monitor has done: it goes last. */
const NEEDED = new Set([
  "agent:prompt",
  "agent:answer",
  "agent:signal",
  "agent:action",
  "agent:action_ended",
]);

/** The files of a spool, the oldest first: the one that is written to now is the last one. Never throws. */
export function spoolFiles(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    return names.sort((one, other) => numberOf(one) - numberOf(other) || (one < other ? -1 : 1));
  } catch {
    return [];
  }
}

function numberOf(name: string): number {
  return name === SPOOL_FILE ? Number.POSITIVE_INFINITY : Number(NUMBERED.exec(name)?.[1] ?? 0);
}

/** Gives a full spool the next number, and makes room where nobody takes events in. */
export function rotateSpool(folder: string, bytes: number): void {
  if (bytes <= FULL_BYTES) return;
  const next = (): number => Math.max(0, ...spoolFiles(folder).map(numberOf).filter(Number.isFinite)) + 1;
  rotate(join(folder, SPOOL_FILE), FULL_BYTES, () => join(folder, `spool-${next()}.jsonl`));
  makeRoom(folder);
}

/** What had to be dropped because no daemon took it in. */
export interface Dropped {
  readonly events: number;
  /** Those of them that asked a human something. */
  readonly questions: number;
  /** ISO time of the last one. */
  readonly last: string;
}

/** `undefined` when nothing was dropped in the last week. Never throws. */
export function droppedFrom(folder: string): Dropped | undefined {
  const value = parseJson(readOwnFile(join(folder, DROPPED), 1000).text ?? "");
  if (!isRecord(value)) return undefined;
  const { events, questions, last } = value;
  if (typeof events !== "number" || typeof questions !== "number" || typeof last !== "string")
    return undefined;
  return Date.now() - Date.parse(last) < TOLD_MILLISECONDS ? { events, questions, last } : undefined;
}

/** What goes first is what can be missed, the oldest first; then whole files. */
function makeRoom(folder: string): void {
  const files = (): readonly string[] => spoolFiles(folder).filter((name) => name !== SPOOL_FILE);
  const sizeOf = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  const isFull = (): boolean =>
    files().reduce((sum, name) => sum + sizeOf(name), 0) > MOST_BYTES - FULL_BYTES;
  if (!isFull()) return;
  const claim = claimFile(join(folder, "room.lock"));
  if (claim === undefined) return;
  try {
    // The newest one may still be written to by a slow process.
    const old = files().slice(0, -1);
    for (const name of [...old.filter((one) => !isKept(one)), ...old.filter(isKept)]) {
      if (!isFull()) return;
      drop(folder, name);
    }
  } finally {
    claim.release();
  }
}

function isKept(name: string): boolean {
  return name.endsWith(KEPT);
}

/** Of each agent, its last event stays as well: it may say that a question is over. */
function drop(folder: string, name: string): void {
  const file = join(folder, name);
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((text) => {
      const event = parseJson(text);
      return isRecord(event) ? [{ text, type: String(event.type), agent: event.agent_id }] : [];
    });
  const last = new Map(lines.map((line) => [line.agent, line]));
  const kept = isKept(name)
    ? []
    : lines.filter((line) => NEEDED.has(line.type) || last.get(line.agent) === line);
  if (kept.length > 0) replace(file.replace(/\.jsonl$/, KEPT), kept.map(({ text }) => `${text}\n`).join(""));
  const asked = (some: typeof lines): number => some.filter(({ type }) => type === "agent:prompt").length;
  const before = droppedFrom(folder) ?? { events: 0, questions: 0 };
  const dropped: Dropped = {
    events: before.events + lines.length - kept.length,
    questions: before.questions + asked(lines) - asked(kept),
    last: new Date().toISOString(),
  };
  replace(join(folder, DROPPED), JSON.stringify(dropped));
  rmSync(file, { force: true });
}

/** Readers see the old text or the new one. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
