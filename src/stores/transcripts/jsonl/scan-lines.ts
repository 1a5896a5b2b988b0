import { read } from "node:fs";
import { promisify } from "node:util";
import { tornEnd } from "./lines.ts";

const readAt = promisify(read);
const NEWLINE = 0x0a;
const LEAST_BYTES = 64 * 1024;
const MOST_BYTES = 1024 * 1024;

/** How far a file was read. */
export interface Scanned {
  /** Behind the last whole line. */
  readonly end: number;
  /** Behind the last byte; further than `end` when the last line is not whole. */
  readonly seen: number;
}

/** A whole line of a file. */
export interface ScannedLine {
  readonly text: string;
  /** Counted from where reading began. */
  readonly number: number;
  /** The offset of the byte that ends it. */
  readonly end: number;
}

/**
 * Reads the whole lines of an open file from an offset at which one begins. What was cut off is left out: a last line without
 * an end, and a line of which the next one says that it was. `torn` hears of every line that says so, with the end of the
 * line it means.
 */
export async function scanLines(
  open: number,
  from: number,
  visit: (line: ScannedLine) => void,
  { signal, torn }: { readonly signal?: AbortSignal | undefined; readonly torn?: (end: number) => void } = {},
): Promise<Scanned> {
  let end = from;
  let seen = from;
  let rest = Buffer.alloc(0);
  let room = LEAST_BYTES;
  let number = 0;
  // Whether a line was cut off shows only in the one behind it.
  let held: ScannedLine | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const buffer = Buffer.allocUnsafe(rest.length + room);
    rest.copy(buffer);
    const { bytesRead } = await readAt(open, buffer, rest.length, room, seen);
    if (bytesRead === 0) break;
    seen += bytesRead;
    const filled = buffer.subarray(0, rest.length + bytesRead);
    let start = 0;
    let newline = filled.indexOf(NEWLINE, rest.length);
    while (newline >= 0) {
      number += 1;
      const text = filled.toString("utf8", start, newline);
      const mended = tornEnd(text);
      if (held !== undefined && held.end !== mended) visit(held);
      if (mended !== undefined) torn?.(mended);
      held = text === "" || mended !== undefined ? undefined : { text, number, end: end + newline };
      start = newline + 1;
      newline = filled.indexOf(NEWLINE, start);
    }
    end += start;
    rest = filled.subarray(start);
    // A line longer than what is read at once would be copied over and over.
    room = start === 0 ? room * 2 : Math.min(Math.max(room * 2, LEAST_BYTES), MOST_BYTES);
  }
  if (held !== undefined) visit(held);
  return { end, seen };
}
