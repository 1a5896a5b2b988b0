import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { builtin } from "../../node/builtin.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { quickFileName } from "../file-name.ts";

const SUFFIX = ".jsonl";

/** `$XDG_STATE_HOME/tenterhook/journal`. */
export function journalFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(stateFolder(environment), "journal");
}

export function journalFile(folder: string, sessionId: string): string {
  return join(folder, `${quickFileName(sessionId)}${SUFFIX}`);
}

/** A name for a rotated file, with the same ending; such names sort by time. */
export function rotatedFile(file: string, now: number): string {
  const stamp = `${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}-${builtin.crypto.randomBytes(3).toString("hex")}`;
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}.${stamp}${ending}`;
}

/** The last rotated journal of a session. Never throws. */
export function lastRotated(folder: string, sessionId: string): string | undefined {
  const start = `${quickFileName(sessionId)}.`;
  const current = `${quickFileName(sessionId)}${SUFFIX}`;
  const isRotated = (name: string) => name.startsWith(start) && isJournal(name) && name !== current;
  try {
    const last = builtin.fs.readdirSync(folder).filter(isRotated).sort().at(-1);
    return last === undefined ? undefined : join(folder, last);
  } catch {
    return undefined;
  }
}

export function isJournal(name: string): boolean {
  return name.endsWith(SUFFIX);
}

interface JournalFile {
  readonly file: string;
  readonly changed: number;
}

/** The journals of a folder, or of one session in it, the oldest first. */
export async function journalFiles(folder: string, sessionId?: string): Promise<readonly JournalFile[]> {
  const wanted = sessionId === undefined ? undefined : quickFileName(sessionId);
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => isJournal(name) && (wanted === undefined || name.split(".")[0] === wanted))
      .map(async (name) => {
        const file = join(folder, name);
        const status = await stat(file).catch(() => undefined);
        return status?.isFile() === true ? [{ file, changed: status.mtimeMs }] : [];
      }),
  );
  return found.flat().sort((a, b) => a.changed - b.changed || (a.file < b.file ? -1 : 1));
}
