import type { Stats } from "node:fs";
import { extname, join } from "node:path";
import type { Decided } from "../core/decide/observers.ts";
import { eventRow } from "../core/events/event-table.ts";
import { builtin } from "../node/builtin.ts";
import { appendLines } from "../node/files/append.ts";
import { fileIdentity } from "../node/files/file-identity.ts";
import { quickFileName } from "../node/files/file-name.ts";
import { makePrivateFolder, tidy } from "../node/files/folders.ts";
import { rotate } from "../node/files/rotate.ts";
import { createRedactor } from "../node/records/redact.ts";
import { stateFolder } from "../node/user-folders.ts";
import { type Happened, journalLines } from "./record.ts";

const SUFFIX = ".jsonl";
/** Bytes after which a file is rotated. */
export const FILE_BYTES = 4_000_000;
const RETENTION = { milliseconds: 30 * 24 * 60 * 60 * 1000, bytes: 200_000_000, concerns: isJournal };

/**
 * Writes decisions synchronously: for a process that decides one event.
 *
 * @param happened what came of the first, where that is not what its hooks decided.
 * @returns what went wrong.
 */
export function recordDecisions(
  decided: readonly Decided[],
  environment: NodeJS.ProcessEnv,
  happened?: Happened,
): string | undefined {
  const recorded = decided.filter(isWorthRecording);
  if (recorded.length === 0) return undefined;
  const folder = journalFolder(environment);
  try {
    const redactor = createRedactor(environment);
    prepareJournal(folder);
    for (const one of recorded) {
      const came = one === decided[0] && happened !== undefined ? { happened } : {};
      const { session_id, lines } = journalLines({ type: "decision", ...one, ...came }, redactor);
      appendToJournal(folder, session_id, lines);
    }
  } catch {
    return `the journal in ${folder} can't be written`;
  }
  return undefined;
}

/** False for an event that comes often and that no hook took part in. */
export function isWorthRecording({ event, decision }: Decided): boolean {
  return decision.runs.length > 0 || eventRow(event.hook_event_name)?.frequent !== true;
}

/** Creates the folder of journals, and removes the oldest from it. */
export function prepareJournal(folder: string): void {
  makePrivateFolder(folder);
  tidy(folder, RETENTION);
}

/** Appends lines to the journal of a session. Its folder must be prepared. */
export function appendToJournal(
  folder: string,
  sessionId: string,
  lines: readonly string[],
  fileBytes = FILE_BYTES,
): void {
  appendRotating(journalFile(folder, sessionId), lines, fileBytes);
}

/** Appends lines to a file; a full one is renamed, and a new one begins. */
export function appendRotating(file: string, lines: readonly string[], fileBytes: number): void {
  if (appendLines(file, lines) > fileBytes) rotate(file, fileBytes, () => rotatedFile(file, Date.now()));
}

/** `$XDG_STATE_HOME/tenterhook/journal`. */
export function journalFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(stateFolder(environment), "journal");
}

export function journalFile(folder: string, sessionId: string): string {
  return join(folder, `${quickFileName(sessionId)}${SUFFIX}`);
}

/** A name for a rotated file, with the same ending; such names sort by time. */
function rotatedFile(file: string, now: number): string {
  const stamp = `${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}-${builtin.crypto.randomBytes(3).toString("hex")}`;
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}.${stamp}${ending}`;
}

/** The last rotated journal of a session. Never throws. */
export function lastRotated(folder: string, sessionId: string): string | undefined {
  const start = `${quickFileName(sessionId)}.`;
  const current = `${quickFileName(sessionId)}${SUFFIX}`;
  const rotated = journalsIn(folder).filter((name) => name.startsWith(start) && name !== current);
  const last = rotated.sort().at(-1);
  return last === undefined ? undefined : join(folder, last);
}

function journalsIn(folder: string): readonly string[] {
  try {
    return builtin.fs.readdirSync(folder).filter(isJournal);
  } catch {
    return [];
  }
}

function isJournal(name: string): boolean {
  return name.endsWith(SUFFIX);
}

/** The journals of a folder, or of one session in it, the oldest first. */
export function journalFiles(folder: string, sessionId?: string) {
  const wanted = sessionId === undefined ? undefined : quickFileName(sessionId);
  return journalsIn(folder)
    .filter((name) => wanted === undefined || name.split(".")[0] === wanted)
    .flatMap((name) => {
      const file = join(folder, name);
      const status = statusOf(file);
      if (status?.isFile() !== true) return [];
      return [{ file, identity: fileIdentity(status), changed: status.mtimeMs, bytes: status.size }];
    })
    .sort((a, b) => a.changed - b.changed || (a.file < b.file ? -1 : 1));
}

/** One journal that can't be looked at, such as a link that leads to itself, hides no other. */
function statusOf(file: string): Stats | undefined {
  try {
    return builtin.fs.statSync(file);
  } catch {
    return undefined;
  }
}
