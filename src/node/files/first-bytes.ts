import { constants } from "node:fs";
import { open } from "node:fs/promises";

export interface FirstBytes {
  readonly bytes: Buffer;
  /** The size of the whole file. */
  readonly size: number;
}

/**
 * Reads the first bytes of a file. Never waits: a pipe or a device is refused.
 *
 * @throws Error when it is not a regular file; the file system's error; the signal's reason when it is aborted.
 */
export async function firstBytes(file: string, most: number, signal?: AbortSignal): Promise<FirstBytes> {
  signal?.throwIfAborted();
  // Windows does not have the flag, nor pipes in folders.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw new Error("it is no regular file");
    const bytes = Buffer.alloc(Math.min(status.size, most));
    let length = 0;
    while (length < bytes.length) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { bytes: bytes.subarray(0, length), size: status.size };
  } finally {
    await handle.close();
  }
}
