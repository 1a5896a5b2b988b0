import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What may stay in a folder. */
export interface Keep {
  readonly milliseconds: number;
  /** All files together; the oldest go first. */
  readonly bytes: number;
  /** Files for which this is false are left alone. */
  readonly concerns: (name: string) => boolean;
}

const PAUSE_MILLISECONDS = 60 * 60 * 1000;
/** A process may still write to a file that was moved aside a moment ago. */
const YOUNG_MILLISECONDS = 10 * 60 * 1000;
const MARK = ".tidied";

/** Removes what is too old or too much, at most once an hour whoever asks. What can't be removed is left. */
export function tidy(folder: string, keep: Keep): void {
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
