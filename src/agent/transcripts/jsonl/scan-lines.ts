import { constants, read } from "node:fs";
import { type FileHandle, open as openFile } from "node:fs/promises";
import { promisify } from "node:util";
import { systemCode } from "../../../node/system-code.ts";
import { TORN } from "./lines.ts";

const readAt = promisify(read);
const NEWLINE = 0x0a;
const LEAST_BYTES = 64 * 1024;
const MOST_BYTES = 1024 * 1024;

export interface Scanned {
  /** The offset after the last whole line. */
  readonly end: number;
  /** The offset after the last byte; larger than `end` when the last line is not whole. */
  readonly seen: number;
}

export interface ScannedLine {
  readonly text: string;
  /** Counted from where reading began. */
  readonly number: number;
}

/** Opens a file to read it; `undefined` when it does not exist. Refuses links and does not wait for pipes. */
async function openToRead(file: string): Promise<FileHandle | undefined> {
  try {
    return await openFile(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Reads the whole lines of a file, none when it does not exist. */
export async function scanFile(
  file: string,
  visit: (line: ScannedLine) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const handle = await openToRead(file);
  try {
    if (handle !== undefined) await scanLines(handle.fd, 0, visit, signal);
  } finally {
    await handle?.close();
  }
}

/**
 * Reads the whole lines of an open file from an offset at which one begins. It skips lines that were cut off: a last line
 * without an end, and a line that is marked as torn.
 */
export async function scanLines(
  open: number,
  from: number,
  visit: (line: ScannedLine) => void,
  signal?: AbortSignal,
): Promise<Scanned> {
  let end = from;
  let seen = from;
  let buffer = Buffer.allocUnsafe(LEAST_BYTES);
  /** How many bytes at the front of the buffer belong to a line whose end was not read yet. */
  let rest = 0;
  let number = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await readAt(open, buffer, rest, buffer.length - rest, seen);
    if (bytesRead === 0) break;
    seen += bytesRead;
    const filled = rest + bytesRead;
    let start = 0;
    let newline = buffer.indexOf(NEWLINE, rest);
    while (newline >= 0 && newline < filled) {
      number += 1;
      const text = buffer.toString("utf8", start, newline);
      if (text !== "" && !text.endsWith(TORN)) visit({ text, number });
      start = newline + 1;
      newline = buffer.indexOf(NEWLINE, start);
    }
    end += start;
    rest = filled - start;
    // A larger buffer for a long file, and for a line that is longer than the buffer.
    const larger = filled === buffer.length && (buffer.length < MOST_BYTES || rest > buffer.length / 2);
    const next = larger ? Buffer.allocUnsafe(buffer.length * 2) : buffer;
    buffer.copy(next, 0, start, filled);
    buffer = next;
  }
  return { end, seen };
}
