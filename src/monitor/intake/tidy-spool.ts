import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { SPOOL_FILE, spoolFiles } from "../report/spool-files.ts";

/** Hooks that decide without the monitor read what happened before in the agent's turn. */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;
const KEPT_FILES = 8;

/** Deletes full files that nobody needs any more. All must be taken in. Never throws. */
export function tidySpool(folder: string, now: number): void {
  try {
    const full = spoolFiles(folder).filter((name) => name !== SPOOL_FILE);
    for (const [at, name] of full.reverse().entries()) {
      const file = join(folder, name);
      const { mtimeMs = now } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (at >= KEPT_FILES || now - mtimeMs > KEPT_MILLISECONDS) rmSync(file, { force: true });
    }
  } catch {
    // Another time.
  }
}
