import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isTenterhookError } from "../../../core/base/errors.ts";
import type { ToolContext } from "../../../core/contracts/tool.ts";
import { systemCode } from "../../../node/system-code.ts";
import { failed } from "../input.ts";
import { READ_AT_ONCE } from "./open-file.ts";
import type { Place } from "./workspace.ts";

export interface FileBefore {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/**
 * Replaces a file atomically: readers see the old file or the new one, never a part. Keeps the mode and, if this user
 * may set it, the owner. The folder must exist.
 *
 * @param before the file that is there; without it, there must be none.
 * @throws TenterhookError `tool_failed` when the file changed meanwhile or may not be written.
 */
export async function replaceFile(
  place: Place,
  content: Uint8Array,
  before: FileBefore | undefined,
  context: ToolContext,
): Promise<void> {
  const { real: target } = place;
  const temporary = join(dirname(target), `.tenterhook-${randomBytes(8).toString("hex")}.tmp`);
  try {
    await writeNew(temporary, content, before?.stats);
    await checkStill(place, before);
    // A rename needs no right to the file itself, so a write-protected file is checked here.
    if (before !== undefined) await access(target, constants.W_OK);
    context.signal.throwIfAborted();
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    const code = systemCode(error);
    if (code === undefined || isTenterhookError(error)) throw error;
    throw failed(`${place.written} can't be written (${code}).`, error);
  }
}

async function writeNew(path: string, content: Uint8Array, like: Stats | undefined): Promise<void> {
  const handle = await open(path, "wx", like === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(content);
    if (like !== undefined) await takeOwnerAndMode(handle, like);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Owner first: changing the owner clears special bits of the mode. */
async function takeOwnerAndMode(handle: FileHandle, like: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== like.uid || own.gid !== like.gid) {
    try {
      await handle.chown(like.uid, like.gid);
    } catch {
      // Only root may give files away; the content is what matters.
    }
  }
  await handle.chmod(like.mode & 0o7777);
}

/** Other programs do not know our lock; what they wrote meanwhile must not be lost. */
async function checkStill(place: Place, before: FileBefore | undefined): Promise<void> {
  let now: Buffer | undefined;
  try {
    now = await readFile(place.real, { flag: READ_AT_ONCE });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
  const same = before === undefined || now === undefined ? now === before?.bytes : now.equals(before.bytes);
  if (!same)
    throw failed(
      `${place.written} was changed by someone else just now. Read it again, then repeat the change.`,
    );
}
