import { readdirSync, readSync, realpathSync, statSync } from "node:fs";
import { builtin } from "../../node/builtin.ts";
import {
  readRegularFile,
  UnfitFileError,
  type UnfitKind,
  withRegularFile,
} from "../../node/files/regular-file.ts";
import { systemCode } from "../../node/system-code.ts";
import { sha256 } from "./digest.ts";

/**
 * What of a path counts: a file's bytes and where links lead, the names in a folder, whether something is there, or
 * where a path leads. Of a time, which stands in place of a path: whether it has come.
 */
export type InputKind = "file" | "folder" | "presence" | "real" | "time";

/** A file, folder or path that a configuration depends on, as it was. */
export interface Input {
  readonly kind: InputKind;
  readonly path: string;
  /** Changes with the content that matters, and with nothing else. */
  readonly value: string;
  readonly size: number;
  /** Metadata of the file system: while it stays the same and is old enough, so does the value. */
  readonly stamp: string;
  /** False while a change might leave the stamp as it is. */
  readonly settled: boolean;
}

/** The value of a missing path. */
export const ABSENT = "absent";

/** The value of a file that is not read because of its size. */
const TOO_LARGE: UnfitKind = "too_large";

/** Larger files are not read. */
export const MOST_FILE_BYTES = 100_000_000;

/** The most that is read of all large files together: a repository can name many before anybody trusts it. */
const MOST_BYTES_OF_ALL = 300_000_000;

const LARGE_BYTES = 1_000_000;

/** A younger stamp may survive a change: some file systems count in steps of two seconds. */
const SETTLED_MILLISECONDS = 2_100;

export class Inputs {
  private readonly seen: Map<string, Input>;
  private left = MOST_BYTES_OF_ALL;

  constructor(known: readonly Input[] = []) {
    this.seen = new Map(known.map((input) => [`${input.kind} ${input.path}`, input]));
  }

  /** Looks at a path and remembers it. Call this before using the file, so that a change in between is noticed. */
  see(kind: InputKind, path: string): Input {
    const key = `${kind} ${path}`;
    const known = this.seen.get(key);
    if (known !== undefined) return known;
    const input = lookAt(kind, path, this.left);
    if (kind === "file" && input.size > LARGE_BYTES && input.value !== TOO_LARGE) this.left -= input.size;
    this.seen.set(key, input);
    return input;
  }

  all(): readonly Input[] {
    return [...this.seen.values()];
  }
}

/** A path as it is now. Never throws. */
export function lookAt(kind: InputKind, path: string, most = MOST_FILE_BYTES): Input {
  const { stamp, settled, size } = marksOf(kind, path);
  const value =
    kind === "file" && size > LARGE_BYTES && size > most ? TOO_LARGE : attempt(() => VALUES[kind](path));
  return { kind, path, stamp, settled, size, value };
}

/** The current value of a file, to compare with an input. Never throws. */
export function fileValue(path: string): string {
  return attempt(() => VALUES.file(path));
}

/** The input as it is now; the same object when nothing changed. */
export function lookAgain(input: Input): Input {
  if (input.kind === "file" || input.kind === "folder") {
    const { stamp } = marksOf(input.kind, input.path);
    if (input.settled && stamp === input.stamp) return input;
  }
  const now = lookAt(input.kind, input.path);
  return now.value === input.value && now.stamp === input.stamp && now.settled === input.settled
    ? input
    : now;
}

/** True when the value is the same. Reads small files again, and trusts the stamp of large ones. */
export function stillHolds(input: Input): boolean {
  if (input.kind === "file" && input.size > LARGE_BYTES && input.settled) {
    if (marksOf(input.kind, input.path).stamp === input.stamp) return true;
  }
  return attempt(() => VALUES[input.kind](input.path)) === input.value;
}

const VALUES: Readonly<Record<InputKind, (path: string) => string>> = {
  file: (path) => {
    const real = realpathSync.native(path);
    const hash = hashOf(path);
    return real === path ? hash : `${hash} ${real}`;
  },
  folder: (path) => (statSync(path).isDirectory() ? sha256(folderNames(path)) : "not_a_folder"),
  presence: (path) => {
    const status = statSync(path, { throwIfNoEntry: false });
    return status === undefined ? ABSENT : status.isDirectory() ? "folder" : "file";
  },
  real: (path) => realpathSync.native(path),
  time: (path) => timeValue(path),
};

/** Whether a time has come. */
function timeValue(time: string, now = Date.now()): "ahead" | "past" {
  return now < Date.parse(time) ? "ahead" : "past";
}

export function folderNames(path: string): string {
  return JSON.stringify(readdirSync(path).sort());
}

function marksOf(kind: InputKind, path: string): Pick<Input, "stamp" | "settled" | "size"> {
  if (kind !== "file" && kind !== "folder") return { stamp: "", settled: true, size: 0 };
  let size = 0;
  let settled = true;
  const stamp = attempt(() => {
    const status = statSync(path, { bigint: true, throwIfNoEntry: false });
    // Most paths are absent, and an exception for each would cost more than all the rest.
    if (status === undefined) return ABSENT;
    const { dev, ino, mode, mtimeNs, ctimeNs } = status;
    size = Number(status.size);
    const now = Date.now();
    settled = [mtimeNs, ctimeNs].every((time) => Number(time / 1_000_000n) + SETTLED_MILLISECONDS < now);
    return [dev, ino, mode, status.size, mtimeNs, ctimeNs].join(" ");
  });
  return { stamp, settled, size };
}

function hashOf(path: string): string {
  try {
    return sha256(readRegularFile(path, LARGE_BYTES));
  } catch (error) {
    if (!(error instanceof UnfitFileError && error.kind === TOO_LARGE)) throw error;
    return hashOfLarge(path);
  }
}

function hashOfLarge(path: string): string {
  return withRegularFile(path, MOST_FILE_BYTES, (descriptor, size) => {
    const hash = builtin.crypto.createHash("sha256");
    const chunk = Buffer.allocUnsafe(256 * 1024);
    let left = size;
    for (let read = -1; read !== 0 && left > 0; left -= read) {
      read = readSync(descriptor, chunk, 0, Math.min(chunk.length, left), null);
      hash.update(chunk.subarray(0, read));
    }
    return hash.digest("hex");
  });
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnfitFileError) return error.kind;
    const code = systemCode(error) ?? "unknown";
    return code === "ENOENT" || code === "ENOTDIR" ? ABSENT : `unreadable ${code}`;
  }
}
