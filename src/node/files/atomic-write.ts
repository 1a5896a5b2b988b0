import { randomBytes } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { copyFile, link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Writes a file that only this user can read, whole or not at all: readers see the old text or the new one. What stands
 * there is replaced with its permissions, also a link. Folders are made as needed, for this user alone.
 *
 * @throws what the file system says; then nothing of it is left behind.
 */
export async function writeAtomically(file: string, text: string | Uint8Array): Promise<void> {
  await withWritten(file, text, (written) => rename(written, file));
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
        if (codeOf(error) === "EEXIST") throw error;
        // Some file systems have no links; then a reader may meet a half-written file, which it must not believe.
        await copyFile(written, file, constants.COPYFILE_EXCL);
      });
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    } finally {
      await rm(written, { force: true });
    }
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    // So says Node of a read-only file system; making one folder after the other tells what is really wrong.
    if (!existsSync(dirname(folder))) await makeFolder(dirname(folder));
    await mkdir(folder, 0o700);
  }
}

async function withWritten<T>(
  file: string,
  text: string | Uint8Array,
  use: (written: string) => Promise<T>,
): Promise<T> {
  const folder = dirname(file);
  await makeFolder(folder);
  const written = join(folder, `.${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await open(written, "wx", 0o600);
    try {
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
