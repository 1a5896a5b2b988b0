import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Without a monitor the writers cut the spool at four times this size. */
const FULL_BYTES = 1_000_000;
/** Hooks that decide without the monitor read what happened before in the agent's turn. */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;
const KEPT_FILES = 8;

/** Renames a full spool, so that writers begin a new one, and deletes files that nobody needs. Never throws. */
export function tidySpool(folder: string, now: number): void {
  try {
    const file = join(folder, "spool.jsonl");
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > FULL_BYTES)
      renameSync(file, join(folder, `taken-${now}.jsonl`));
    const taken = readdirSync(folder)
      .filter((name) => /^taken-\d+\.jsonl$/.test(name))
      .sort()
      .reverse();
    for (const [at, name] of taken.entries()) {
      const time = Number(name.slice("taken-".length, -".jsonl".length));
      if (at >= KEPT_FILES || now - time > KEPT_MILLISECONDS) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // Another time.
  }
}
