import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileIdentity } from "../../node/files/file-identity.ts";
import { SPOOL_FILE, spoolFiles } from "../report/spool-files.ts";
import type { Positions } from "./read-spool.ts";

/** Hooks that decide without the monitor read what happened before in the agent's turn. */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;
const KEPT_FILES = 8;

/**
 * Deletes full files that nobody needs any more. Never throws.
 *
 * @param taken the files that are taken in, by their identity: others may have come since.
 */
export function tidySpool(folder: string, now: number, taken: Positions): void {
  try {
    const full = spoolFiles(folder).filter((name) => name !== SPOOL_FILE);
    for (const [at, name] of full.reverse().entries()) {
      const file = join(folder, name);
      const status = statSync(file, { throwIfNoEntry: false });
      if (status === undefined || !(fileIdentity(status) in taken)) continue;
      if (at >= KEPT_FILES || now - status.mtimeMs > KEPT_MILLISECONDS) rmSync(file, { force: true });
    }
  } catch {
    // Another time.
  }
}
