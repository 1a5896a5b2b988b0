import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const LARGEST = 200_000;

/**
 * The text of a definition's file. Never waits: a pipe or a device in its place is refused, and no more is read than a
 * definition may have.
 *
 * @throws Error that says what is wrong with it; the reason of the signal when that is aborted.
 */
export async function definitionText(file: string, signal: AbortSignal | undefined): Promise<string> {
  signal?.throwIfAborted();
  // Windows does not have the flag, nor pipes in folders.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await handle.stat()).isFile()) throw new Error("it is no regular file");
    const bytes = await firstBytes(handle, signal);
    if (bytes.length > LARGEST) throw new Error(`it has more than ${LARGEST} bytes`);
    return bytes.toString("utf8");
  } finally {
    await handle.close();
  }
}

async function firstBytes(handle: FileHandle, signal: AbortSignal | undefined): Promise<Buffer> {
  const bytes = Buffer.alloc(LARGEST + 1);
  let length = 0;
  while (length < bytes.length) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
