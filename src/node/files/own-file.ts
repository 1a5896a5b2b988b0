import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

interface Unbelieved {
  readonly text?: never;
  readonly bytes?: never;
  readonly reason: string;
  readonly absent?: true;
}

/** What a file of this user's own holds, or why it is not to be believed. */
export type OwnFile = { readonly text: string } | Unbelieved;

/** Reads a text as {@link readOwnBytes} does. */
export function readOwnFile(file: string, mostBytes: number): OwnFile {
  const read = readOwnBytes(file, mostBytes);
  return read.bytes === undefined ? read : { text: read.bytes.toString("utf8") };
}

/**
 * Reads a file that only this user can have written: a plain file, no link, his own, which nobody else may write.
 * Never throws.
 */
export function readOwnBytes(file: string, mostBytes: number): { readonly bytes: Buffer } | Unbelieved {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile()) return { reason: "it is not a plain file" };
    if (process.getuid !== undefined && status.uid !== process.getuid())
      return { reason: "it belongs to another user" };
    if (process.platform !== "win32" && (status.mode & 0o022) !== 0)
      return { reason: "other users may write it" };
    if (status.size > mostBytes) return { reason: `it has more than ${mostBytes} bytes` };
    return { bytes: readFileSync(descriptor) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { reason: "it is not there", absent: true };
    return { reason: code === "ELOOP" ? "it is a link" : `it can't be read (${code})` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
