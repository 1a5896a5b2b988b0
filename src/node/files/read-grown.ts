import { fstatSync, readSync } from "node:fs";
import { fileIdentity } from "./file-identity.ts";

/** What a file has grown by, as far as it was read. */
export interface Grown {
  readonly identity: string;
  readonly size: number;
  /** Where it was read from, and where to read on. */
  readonly from: number;
  readonly next: number;
  /** The whole lines in between. */
  readonly lines: readonly string[];
}

/**
 * Reads what others have appended to a file since an earlier look. A file that became shorter is another one with the same
 * identity, and read from its start.
 *
 * @param positionOf how far the file with this identity was read.
 * @param mostBytes more than the longest line.
 */
export function readGrown(
  descriptor: number,
  positionOf: (identity: string) => number,
  mostBytes: number,
): Grown {
  const status = fstatSync(descriptor);
  const { size } = status;
  const identity = fileIdentity(status);
  const known = positionOf(identity);
  const from = known > size ? 0 : known;
  const buffer = Buffer.alloc(Math.min(mostBytes, size - from));
  const bytes = readSync(descriptor, buffer, 0, buffer.length, from);
  const end = buffer.subarray(0, bytes).lastIndexOf("\n") + 1;
  const about = { identity, size, from };
  // A line that is longer than all that is read was not written by us.
  if (end === 0) return { ...about, next: from + bytes === size ? from : from + bytes, lines: [] };
  const text = buffer.toString("utf8", 0, end - 1);
  return { ...about, next: from + end, lines: text.split("\n") };
}
