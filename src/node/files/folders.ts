import type { Stats } from "node:fs";
import { builtin } from "../builtin.ts";
import { SYSTEM } from "../system.ts";

/**
 * Creates a folder and its missing parents, by default for this user alone. Node's own recursive mkdir never ends on a
 * file system such as `/proc`.
 *
 * @throws the file system's error.
 */
export function makeFolders(folder: string, mode = 0o700): void {
  if (statusOf(folder)?.isDirectory() === true) return;
  const above = builtin.path.dirname(folder);
  if (statusOf(above) === undefined) makeFolders(above, mode);
  try {
    builtin.fs.mkdirSync(folder, mode);
  } catch (error) {
    // Another process was faster.
    if (statusOf(folder)?.isDirectory() !== true) throw error;
  }
}

/** @throws the file system's error when a parent is a file. */
function statusOf(path: string): Stats | undefined {
  return builtin.fs.statSync(path, { throwIfNoEntry: false });
}

/**
 * Creates a folder that only this user can read, with its parents. Closes an existing one of this user's that is open
 * to others.
 */
export function makePrivateFolder(folder: string): void {
  makeFolders(folder);
  const { mode, uid } = builtin.fs.statSync(folder);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) builtin.fs.chmodSync(folder, 0o700);
}

/** Makes the entries of a folder survive a power cut. */
export function syncFolder(folder: string): void {
  // Windows can't open folders and does not need this.
  if (!SYSTEM.opensFolders) return;
  const { openSync, fsyncSync, closeSync } = builtin.fs;
  const open = openSync(folder, "r");
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}

interface Keep {
  readonly milliseconds: number;
  /** All files together; the oldest are removed first. */
  readonly bytes: number;
  /** Other files are left alone. Default: none are. */
  readonly concerns?: (name: string) => boolean;
}

const PAUSE_MILLISECONDS = 60 * 60 * 1000;
/** A process may still write to a file that was just renamed. */
const YOUNG_MILLISECONDS = 10 * 60 * 1000;
const MARK = ".tidied";

/** Removes files that are too old or too many, at most once an hour. What can't be removed stays. */
export function tidy(folder: string, keep: Keep): void {
  const { readdirSync, rmSync, statSync, writeFileSync } = builtin.fs;
  const { join } = builtin.path;
  const { concerns = () => true } = keep;
  const now = Date.now();
  const mark = join(folder, MARK);
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.abs(now - last) < PAUSE_MILLISECONDS) return;
  writeFileSync(mark, "", { mode: 0o600 });
  const files = readdirSync(folder)
    .filter((name) => name !== MARK && concerns(name))
    .flatMap((name) => {
      const status = statSync(join(folder, name), { throwIfNoEntry: false });
      return status?.isFile() === true ? [{ name, age: now - status.mtimeMs, bytes: status.size }] : [];
    })
    .sort((a, b) => a.age - b.age);
  let bytes = 0;
  for (const file of files) {
    bytes += file.bytes;
    if (file.age < YOUNG_MILLISECONDS || (file.age <= keep.milliseconds && bytes <= keep.bytes)) continue;
    rmSync(join(folder, file.name), { force: true });
  }
}

/** The folder, or the nearest one above it that exists: the session may go on in a folder that was deleted. */
export function nearestFolder(folder: string): string {
  let path = builtin.path.resolve(folder);
  while (!builtin.fs.existsSync(path) && builtin.path.dirname(path) !== path)
    path = builtin.path.dirname(path);
  return path;
}
