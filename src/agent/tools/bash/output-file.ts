import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolders, tidy } from "../../../node/files/folders.ts";
import { stateFolder } from "../../../node/user-folders.ts";

const SUFFIX = ".txt";
const KEPT = {
  milliseconds: 7 * 24 * 60 * 60 * 1000,
  bytes: Number.POSITIVE_INFINITY,
  concerns: (name: string) => name.endsWith(SUFFIX),
};
const MOST_BYTES = 64 * 1024 * 1024;

export interface OutputFile {
  readonly path: string;
  write(chunk: Uint8Array): void;
  /** What it contains, in words: the whole output, or how much of it. */
  holds(): string;
  close(): void;
}

/**
 * Creates an output file in the state folder, readable by this user only. Files there are deleted after a week. It
 * takes 64 MiB and drops the rest. Returns `undefined` when nothing can be written.
 */
export function makeOutputFile(name: string): OutputFile | undefined {
  try {
    const folder = join(stateFolder(), "output");
    makeFolders(folder);
    tidy(folder, KEPT);
    const safe = name.replaceAll(/[^\w.-]/g, "_").slice(0, 60);
    const path = join(folder, `${safe}-${randomBytes(6).toString("hex")}${SUFFIX}`);
    const descriptor = openSync(path, "wx", 0o600);
    return appendingTo(path, descriptor);
  } catch {
    return undefined;
  }
}

const MOST_READ = 1024 * 1024;

/** What was written from a byte on, at most the last mebibyte, and the byte after it. Empty when the file is gone. */
export function outputFrom(path: string, from: number): { readonly text: string; readonly next: number } {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    const { size } = fstatSync(descriptor);
    const start = Math.max(from, size - MOST_READ);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const read = readSync(descriptor, bytes, 0, bytes.length, start);
    const missing = start > from ? `[… ${start - from} bytes left out; all of it is in ${path} …]\n` : "";
    return { text: missing + bytes.toString("utf8", 0, read), next: start + read };
  } catch {
    return { text: "", next: from };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function appendingTo(path: string, descriptor: number): OutputFile {
  let room = MOST_BYTES;
  let written = 0;
  let isWhole = true;
  return {
    path,
    holds: () => (isWhole ? "the whole output is" : `the first ${written} bytes are`),
    // Synchronous, so that output that is faster than the disk does not pile up in memory.
    write(chunk) {
      const part = chunk.subarray(0, room);
      if (part.length < chunk.length) isWhole = false;
      if (part.length === 0) return;
      room -= part.length;
      try {
        written += writeSync(descriptor, part);
      } catch {
        // The disk is full: what is written stays.
        room = 0;
        isWhole = false;
      }
    },
    close: () => closeSync(descriptor),
  };
}
