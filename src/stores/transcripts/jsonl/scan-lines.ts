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
  let buffer = Buffer.allocUnsafe(LEAST_BYTES);
  /** How many bytes at the front of the buffer are of a line whose end was not read yet. */
  let rest = 0;
  let number = 0;
  // Whether a line was cut off shows only in the one behind it.
  let held: ScannedLine | undefined;
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
      const mended = tornEnd(text);
      if (held !== undefined && held.end !== mended) visit(held);
      if (mended !== undefined) torn?.(mended);
      held = text === "" || mended !== undefined ? undefined : { text, number, end: end + newline };
      start = newline + 1;
      newline = buffer.indexOf(NEWLINE, start);
    }
    end += start;
    rest = filled - start;
    // More at once for a long file, and for a line that is longer than the buffer.
    const larger = filled === buffer.length && (buffer.length < MOST_BYTES || rest > buffer.length / 2);
    const next = larger ? Buffer.allocUnsafe(buffer.length * 2) : buffer;
    buffer.copy(next, 0, start, filled);
    buffer = next;
  }
  if (held !== undefined) visit(held);
  return { end, seen };
}
