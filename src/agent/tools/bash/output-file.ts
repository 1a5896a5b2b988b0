import { randomBytes } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../../../node/files/make-folders.ts";
import { tidy } from "../../../node/files/tidy.ts";
import { stateFolder } from "../../../node/user-folders.ts";

const SUFFIX = ".txt";
const KEPT = {
  milliseconds: 7 * 24 * 60 * 60 * 1000,
  bytes: Number.POSITIVE_INFINITY,
  concerns: (name: string) => name.endsWith(SUFFIX),
};
const MOST_BYTES = 64 * 1024 * 1024;

/** A file for the output of a running command. */
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
