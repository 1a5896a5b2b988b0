import { builtin } from "../builtin.ts";

/** What may stay in a folder. */
export interface Keep {
  readonly milliseconds: number;
  /** All files together; the oldest are removed first. */
  readonly bytes: number;
  /** Other files are left alone. */
  readonly concerns: (name: string) => boolean;
}

const PAUSE_MILLISECONDS = 60 * 60 * 1000;
/** A process may still write to a file that was just renamed. */
const YOUNG_MILLISECONDS = 10 * 60 * 1000;
const MARK = ".tidied";

/** Removes files that are too old or too many, at most once an hour. What can't be removed stays. */
export function tidy(folder: string, keep: Keep): void {
  const { readdirSync, rmSync, statSync, writeFileSync } = builtin.fs;
  const { join } = builtin.path;
  const now = Date.now();
  const mark = join(folder, MARK);
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.abs(now - last) < PAUSE_MILLISECONDS) return;
  writeFileSync(mark, "", { mode: 0o600 });
  const files = readdirSync(folder)
    .filter(keep.concerns)
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
