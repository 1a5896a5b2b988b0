import type { Stats } from "node:fs";
import { errorMessage } from "../../core/base/error-text.ts";
import { builtin } from "../builtin.ts";
import { systemCode } from "../system-code.ts";

/** What is in the place of a file that could be read. */
export type UnfitKind = "folder" | "special" | "too_large";

/** Thrown for a path that is not a regular file, or a file that is larger than its reader wants. */
export class UnfitFileError extends Error {
  readonly kind: UnfitKind;

  constructor(kind: UnfitKind, message: string) {
    super(message);
    this.name = "UnfitFileError";
    this.kind = kind;
  }
}

/**
 * Reads a regular file. Every file that somebody else may have named is read by this function: it never waits for a
 * pipe, never opens a device, and never reads more than it is allowed to, whatever happens to the path meanwhile.
 *
 * @throws UnfitFileError for a folder, a pipe, a device or a socket, and for more than `most` bytes; otherwise the error
 *   of the file system.
 */
export function readRegularFile(file: string, most: number): Buffer {
  return withRegularFile(file, most, readBytes);
}

/** The first bytes of an open file: as many as wanted, or all it has. */
export function readBytes(descriptor: number, wanted: number): Buffer {
  const bytes = Buffer.allocUnsafe(wanted);
  let length = 0;
  for (let read = -1; read !== 0 && length < wanted; length += read)
    read = builtin.fs.readSync(descriptor, bytes, length, wanted - length, length);
  return bytes.subarray(0, length);
}

/** The first bytes of a regular file, and the size of all of it. Throws as {@link readRegularFile} does. */
export function firstBytes(file: string, most: number): { readonly bytes: Buffer; readonly size: number } {
  return withRegularFile(file, Number.POSITIVE_INFINITY, (descriptor, size) => ({
    bytes: readBytes(descriptor, Math.min(size, most)),
    size,
  }));
}

/** Opens a regular file for `use`, which gets its descriptor and its size. Throws as {@link readRegularFile} does. */
export function withRegularFile<Result>(
  file: string,
  most: number,
  use: (descriptor: number, size: number) => Result,
): Result {
  const { constants, statSync, openSync, fstatSync, closeSync } = builtin.fs;
  // Opening a device can have effects of its own, so the path is looked at first.
  check(statSync(file), most);
  // Windows has no such flag, and no pipes in folders.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(descriptor);
    check(status, most);
    return use(descriptor, status.size);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a regular file; `undefined` when it can't be read or is too large. Never throws. */
export function regularText(file: string, most: number): string | undefined {
  try {
    return readRegularFile(file, most).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Why a file was not read, to follow "can't be read: ". */
export function whyUnread(error: unknown): string {
  if (error instanceof UnfitFileError) return error.message;
  return systemCode(error) ?? errorMessage(error);
}

function check(status: Stats, most: number): void {
  if (status.isDirectory()) throw new UnfitFileError("folder", "it is a folder");
  if (!status.isFile()) throw new UnfitFileError("special", "it is not a plain file");
  if (status.size > most)
    throw new UnfitFileError("too_large", `it has ${status.size} bytes, more than ${most}`);
}

/** The last bytes of a file as a string; empty when it is not a file or can't be read. Never throws. */
export function endOfFile(path: string, mostBytes: number): string {
  try {
    return withRegularFile(path, Number.POSITIVE_INFINITY, (descriptor, size) => {
      const bytes = Buffer.alloc(Math.min(size, mostBytes));
      const read = builtin.fs.readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString("utf8", 0, read);
    });
  } catch {
    return "";
  }
}
