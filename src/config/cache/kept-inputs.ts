import { closeSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { hasBytes, type Place, sameBytes } from "../../node/files/same-bytes.ts";
import { ABSENT, folderNames, type Input, stillHolds } from "../find/inputs.ts";
import { sha256 } from "./digest.ts";

/** An input with its content, where that is what counts: to compare bytes is quicker than to digest them. */
export interface KeptInput {
  readonly input: Input;
  /** Where in the file its bytes stand. */
  readonly kept?: readonly [start: number, end: number];
  /** Where a file's path leads. */
  readonly real?: string;
}

/** Files with more bytes are not kept but digested, or go by their marks. */
const MOST_KEPT = 1_000_000;

/** The bytes to keep of an input; `undefined` when it has none. Answers `"changed"` when it is no longer what it was. */
export function bytesOf({ kind, path, value, size }: Input): Buffer | "changed" | undefined {
  const hash = /^[0-9a-f]{64}/.exec(value)?.[0];
  if (hash === undefined || size > MOST_KEPT) return undefined;
  try {
    const bytes = kind === "folder" ? Buffer.from(folderNames(path)) : readFileSync(path);
    return sha256(bytes) === hash ? bytes : "changed";
  } catch {
    return "changed";
  }
}

/** True when nothing changed that counts. Never throws. */
export function isSame({ input, kept, real }: KeptInput, body: Place): boolean {
  const { kind, path, value } = input;
  try {
    if (kept !== undefined) {
      const [start, end] = kept;
      const place = { descriptor: body.descriptor, from: body.from + start };
      if (kind === "folder") {
        const names = Buffer.from(folderNames(path));
        return names.length === end - start && hasBytes(place, names);
      }
      const status = statSync(path);
      return (
        status.isFile() &&
        status.size === end - start &&
        realpathSync.native(path) === real &&
        isCopied(path, place, end - start)
      );
    }
    // Asked without an exception, which would cost more than all the rest.
    if (value === ABSENT) return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // It is looked at once more below, which tells what is unreadable from what is gone.
  }
  return stillHolds(input);
}

function isCopied(path: string, copy: Place, length: number): boolean {
  const descriptor = openSync(path, "r");
  try {
    return sameBytes({ descriptor, from: 0 }, copy, length);
  } finally {
    closeSync(descriptor);
  }
}
