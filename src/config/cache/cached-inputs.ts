import { realpathSync, statSync } from "node:fs";
import { readRegularFile } from "../../node/files/regular-file.ts";
import { ABSENT, folderNames, type Input, stillHolds } from "../find/inputs.ts";
import type { Section } from "./cache-file.ts";
import { sha256 } from "./digest.ts";

/** An input with a copy of its content, since comparing bytes is faster than loading `node:crypto` for a digest. */
export interface CachedInput {
  readonly input: Input;
  readonly content?: Section;
  /** Where a file's path leads. */
  readonly real?: string;
}

/** Larger files are not copied but digested, or compared by their times. */
const MOST_BYTES = 1_000_000;

/** The content of an input; `undefined` for one that has none to copy, `"changed"` when it is no longer what it was. */
export function inputContent({ kind, path, value, size }: Input): Buffer | "changed" | undefined {
  const hash = /^[0-9a-f]{64}/.exec(value)?.[0];
  if (hash === undefined || size > MOST_BYTES) return undefined;
  try {
    const bytes = kind === "folder" ? Buffer.from(folderNames(path)) : readRegularFile(path, MOST_BYTES);
    return sha256(bytes) === hash ? bytes : "changed";
  } catch {
    return "changed";
  }
}

/** True when an input is what it was. Never throws. */
export function isUnchanged({ input, real }: CachedInput, content: Buffer | undefined): boolean {
  const { kind, path, value } = input;
  try {
    if (content !== undefined && kind === "folder") return Buffer.from(folderNames(path)).equals(content);
    if (content !== undefined) {
      return realpathSync.native(path) === real && readRegularFile(path, content.length).equals(content);
    }
    // Most files are absent, and an exception for each would cost more than all the rest.
    if (value === ABSENT) return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // `stillHolds` tells what is unreadable from what is gone.
  }
  return stillHolds(input);
}
