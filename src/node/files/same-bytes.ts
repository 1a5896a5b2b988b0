import { readSync } from "node:fs";

/** A position in an open file. */
export interface Place {
  readonly descriptor: number;
  readonly from: number;
}

const PIECE_BYTES = 65_536;

/*
 * All reads share these two buffers: allocating memory takes several times as long as reading into it, and a process
 * that decides one event compares more than a megabyte.
 */
let one: Buffer | undefined;
let other: Buffer | undefined;

/** True when the file has these bytes at the position. */
export function hasBytes({ descriptor, from }: Place, expected: Buffer): boolean {
  one ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
  for (let at = 0; at < expected.length; ) {
    const wanted = Math.min(PIECE_BYTES, expected.length - at);
    const read = readSync(descriptor, one, 0, wanted, from + at);
    if (read === 0 || !one.subarray(0, read).equals(expected.subarray(at, at + read))) return false;
    at += read;
  }
  return true;
}

/** True when two files have the same `length` bytes at these positions. */
export function sameBytes(left: Place, right: Place, length: number): boolean {
  other ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
  for (let at = 0; at < length; ) {
    const wanted = Math.min(PIECE_BYTES, length - at);
    const read = readSync(left.descriptor, other, 0, wanted, left.from + at);
    const place = { descriptor: right.descriptor, from: right.from + at };
    if (read === 0 || !hasBytes(place, other.subarray(0, read))) return false;
    at += read;
  }
  return true;
}
