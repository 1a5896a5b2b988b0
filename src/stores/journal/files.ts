import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { builtin } from "../../node/builtin.ts";
import { stateFolder } from "../../node/state-folder.ts";

const SUFFIX = ".jsonl";

/** Where journals are kept: `$XDG_STATE_HOME/tenterhook/journal`. */
export function journalFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(stateFolder(environment), "journal");
}

/** The name of a session's journal, without its suffix. Whatever the id, it is a plain name that no other id has. */
function journalName(sessionId: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,79}$/.test(sessionId)) return sessionId;
  const hash = builtin.crypto.createHash("sha256").update(sessionId).digest("hex").slice(0, 16);
  const readable = sessionId.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 40);
  return `${readable}+${hash}`;
}

/** The file that is written to. */
export function journalFile(folder: string, sessionId: string): string {
  return join(folder, `${journalName(sessionId)}${SUFFIX}`);
}

/** A name for a journal that has grown too long; such names sort by the time they were made. */
export function rotatedFile(folder: string, sessionId: string, now: number): string {
  const stamp = `${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}-${builtin.crypto.randomBytes(3).toString("hex")}`;
  return join(folder, `${journalName(sessionId)}.${stamp}${SUFFIX}`);
}

/** True for the name of a journal. */
export function isJournal(name: string): boolean {
  return name.endsWith(SUFFIX);
}

/** A journal, or an older part of one. */
export interface JournalFile {
  readonly file: string;
  readonly changed: number;
}

/** The journals of a folder, or of one session in it, the oldest first. */
export async function journalFiles(folder: string, sessionId?: string): Promise<readonly JournalFile[]> {
  const wanted = sessionId === undefined ? undefined : journalName(sessionId);
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
