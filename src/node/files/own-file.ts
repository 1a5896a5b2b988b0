import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { SYSTEM } from "../system.ts";
import { systemCode } from "../system-code.ts";

/** The content of a file that is this user's own, or why it must not be trusted. */
export type OwnFile =
  | { readonly text: string }
  | { readonly text?: never; readonly reason: string; readonly absent?: true };

export interface OpenFile {
  readonly descriptor: number;
  readonly size: number;
}

/**
 * Reads a file that only this user can have written: a plain file, not a link, owned by this user and not writable by
 * others. Never throws.
 */
export function readOwnFile(file: string, mostBytes: number): OwnFile {
  const opened = opening(file);
  if (!("descriptor" in opened)) return opened;
  try {
    if (opened.size > mostBytes) return { reason: `it has more than ${mostBytes} bytes` };
    return { text: readFileSync(opened.descriptor, "utf8") };
  } catch (error) {
    return unread(error);
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Reads such a file; `undefined` when it is longer, can't be read or must not be trusted. Never throws. */
export function withOwnFile<T>(
  file: string,
  mostBytes: number,
  read: (descriptor: number) => T,
): T | undefined {
  const opened = openOwnFile(file);
  if (opened === undefined) return undefined;
  try {
    return opened.size > mostBytes ? undefined : read(opened.descriptor);
  } catch {
    return undefined;
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Opens such a file; the caller closes it. Returns `undefined` when it must not be trusted. Never throws. */
export function openOwnFile(file: string): OpenFile | undefined {
  const opened = opening(file);
  return "descriptor" in opened ? opened : undefined;
}

function opening(file: string): OpenFile | Exclude<OwnFile, { readonly text: string }> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    const reason = !status.isFile()
      ? "it is not a plain file"
      : process.getuid !== undefined && status.uid !== process.getuid()
        ? "it belongs to another user"
        : SYSTEM.fileModes && (status.mode & 0o022) !== 0
          ? "other users may write it"
          : undefined;
    if (reason === undefined) return { descriptor, size: status.size };
    closeSync(descriptor);
    return { reason };
  } catch (error) {
    return unread(error);
  }
}

function unread(error: unknown): Exclude<OwnFile, { readonly text: string }> {
  const code = systemCode(error) ?? String(error);
  if (code === "ENOENT" || code === "ENOTDIR") return { reason: "it is not there", absent: true };
  return { reason: code === "ELOOP" ? "it is a link" : `it can't be read (${code})` };
}
