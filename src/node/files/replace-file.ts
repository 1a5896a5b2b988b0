import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** How a file is written. */
export interface WriteOptions {
  /** Permissions of a new file; one that is there keeps its own. Default 0o600. */
  readonly mode?: number;
}

/**
 * Replaces what a file holds so that every reader sees the old content or the new, also when the machine stops in between. A
 * link stays a link: the file it leads to is replaced.
 *
 * @throws the file system's error; then the old content is untouched.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600 }: WriteOptions = {},
): void {
  const target = followed(file);
  const beside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  const kept = statSync(target, { throwIfNoEntry: false })?.mode;
  let open: number | undefined;
  try {
    open = openSync(beside, "wx", kept ?? mode);
    if (kept !== undefined) fchmodSync(open, kept & 0o777);
    writeFileSync(open, content);
    fsyncSync(open);
    closeSync(open);
    open = undefined;
    renameSync(beside, target);
  } catch (error) {
    if (open !== undefined) closeSync(open);
    rmSync(beside, { force: true });
    throw error;
  }
}

function followed(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
