import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Registers what is done after a test, or after the tests that share something. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/** Makes a folder that is removed after the test. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-test-")));
  atEnd(() => removeFolder(folder));
  return folder;
}

/** Removes a folder, in which a program that is ending may still write. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
