import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, open, readdir, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isRunning } from "../process/signals.ts";
import { systemCode } from "../system-code.ts";
import { makeFolders } from "./make-folders.ts";

/** How a file is written. */
export interface WriteOptions {
  /**
   * True for a file that is the user's: a link stays a link, also one that leads to no file yet, and the file it leads to
   * keeps its permissions.
   */
  readonly keep?: boolean;
  /** Permissions of a new file. Default 0o600: this user alone. */
  readonly mode?: number;
}

/**
 * Writes a file, whole or not at all: readers see the old text or the new one, also when the machine stops in between.
 * Unless it is to be kept, what stands there is replaced with its permissions, also a link. Folders are made as needed,
 * for this user alone.
 *
 * @throws what the file system says; then what was there is untouched, and nothing is left behind.
 */
export async function writeAtomically(
  file: string,
  text: string | Uint8Array,
  { keep = false, mode }: WriteOptions = {},
): Promise<void> {
  const target = keep ? await whereItLeads(file) : file;
  const kept = keep ? (await stat(target).catch(() => undefined))?.mode : undefined;
  await withWritten(target, text, async (written) => rename(written, target), {
    mode: mode ?? 0o600,
    ...(kept === undefined ? {} : { exactly: kept & 0o777 }),
  });
}

/**
 * Writes a file that must not be there yet, whole or not at all. Of several writers exactly one succeeds.
 *
 * @returns false when the file is there already.
 * @throws what the file system says; then nothing of it is left behind.
 */
export async function createAtomically(file: string, text: string): Promise<boolean> {
  return withWritten(file, text, async (written) => {
    try {
      await link(written, file).catch(async (error: unknown) => {
        if (systemCode(error) === "EEXIST") throw error;
        // Some file systems have no links; then a reader may meet a half-written file, which it must not believe.
        await copyFile(written, file, constants.COPYFILE_EXCL);
      });
      return true;
    } catch (error) {
      if (systemCode(error) === "EEXIST") return false;
      throw error;
    } finally {
      await rm(written, { force: true });
    }
  });
}

async function whereItLeads(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") return file;
    const to = await readlink(file).catch(() => undefined);
    return to === undefined ? file : whereItLeads(resolve(await realpath(dirname(file)), to));
  }
}

/** A name for what will take the place of a file. What a process that was killed leaves is known by it. */
export function temporaryBeside(file: string): string {
  return join(dirname(file), `.${process.pid}-${randomUUID().slice(-12)}.tmp`);
}

/** What a file that is written may have: of a new one the user's mask takes some away. */
interface Permissions {
  readonly mode: number;
  readonly exactly?: number;
}

async function withWritten<T>(
  file: string,
  text: string | Uint8Array,
  use: (written: string) => Promise<T>,
  { mode, exactly }: Permissions = { mode: 0o600 },
): Promise<T> {
  makeFolders(dirname(file));
  const written = temporaryBeside(file);
  try {
    const handle = await open(written, "wx", exactly ?? mode);
    try {
      // What this user lets off from new files does not hold for one that had its permissions already.
      if (exactly !== undefined) await handle.chmod(exactly);
      await handle.writeFile(text);
      // A name that leads to an empty file after a power cut would be worse than the old text.
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await use(written);
  } catch (error) {
    await rm(written, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Nobody takes so long to write a file; on another machine a process of the same number may be at it. */
const LONGEST_WRITE_MILLISECONDS = 60_000;

/**
 * Removes what processes that were killed while they wrote a file whole (`writeAtomically`) have left in a folder. Never
 * rejects: what can't be removed harms nobody.
 */
export async function removeLeftBehind(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = Number(/^\.(\d+)-[0-9a-f]{12}\.tmp$/.exec(name)?.[1]);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    const file = join(folder, name);
    const { mtimeMs = now } = (await stat(file).catch(() => undefined)) ?? {};
    if (now - mtimeMs > LONGEST_WRITE_MILLISECONDS) await rm(file, { force: true }).catch(() => undefined);
  }
}
