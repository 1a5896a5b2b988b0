import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { systemCode } from "../system-code.ts";
import { makeFolders } from "./folders.ts";

export interface WriteOptions {
  /** True for a file of the user's: a link stays a link, even a dangling one, and the target keeps its permissions. */
  readonly keep?: boolean;
  /** Permissions of a new file. Default 0o600. */
  readonly mode?: number;
}

/**
 * Writes a file atomically: readers see the old text or the new one, also when the machine stops in between. Without
 * `keep`, an existing file or link is replaced together with its permissions. Creates missing folders for this user
 * alone.
 *
 * @throws the file system's error; the old file is untouched then, and nothing is left over.
 */
export async function writeAtomically(
  file: string,
  text: string | Uint8Array,
  { keep = false, mode = 0o600 }: WriteOptions = {},
): Promise<void> {
  const target = keep ? await whereItLeads(file) : file;
  const oldMode = keep ? (await stat(target).catch(() => undefined))?.mode : undefined;
  await withWritten(target, text, async (written) => rename(written, target), {
    mode,
    ...(oldMode === undefined ? {} : { exactly: oldMode & 0o777 }),
  });
}

/**
 * Creates a file atomically. Of several writers exactly one succeeds.
 *
 * @returns false when the file exists already.
 * @throws the file system's error; nothing is left over then.
 */
export async function createAtomically(file: string, text: string): Promise<boolean> {
  return withWritten(file, text, async (written) => {
    try {
      await link(written, file).catch(async (error: unknown) => {
        if (systemCode(error) === "EEXIST") throw error;
        // Some file systems have no links; there a reader may see a half-written file, which it must not believe.
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

/** `mode` is subject to the user's umask, `exactly` is not. */
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
  const written = join(dirname(file), `.${process.pid}-${randomUUID().slice(-12)}.tmp`);
  try {
    const handle = await open(written, "wx", exactly ?? mode);
    try {
      // The umask does not apply to a file that had its permissions already.
      if (exactly !== undefined) await handle.chmod(exactly);
      await handle.writeFile(text);
      // An empty file after a power cut would be worse than the old text.
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
