import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PolicyAddress } from "../../../../config/policy/address.ts";
import {
  type LockedPolicy,
  lockFile,
  lockText,
  policyFolder,
  readLock,
} from "../../../../config/policy/lock.ts";
import { writeAtomically } from "../../../../node/files/atomic-write.ts";
import { makeFolders } from "../../../../node/files/make-folders.ts";
import { systemCode } from "../../../../node/system-code.ts";

/** Git must not change the ends of lines, on which the hash depends. */
const ATTRIBUTES = "* -text\n";

/**
 * Puts the fetched files beside the configuration, and their hash into its lock file, which forgets addresses that are no
 * longer used. A call that is decided between the two finds files that the lock does not name, and is refused.
 */
export async function replacePolicy(
  configuration: string,
  address: PolicyAddress,
  fetched: string,
  entry: LockedPolicy,
  used: readonly string[],
): Promise<void> {
  const folder = policyFolder(configuration, address);
  makeFolders(dirname(folder), 0o777);
  writeFileSync(join(dirname(folder), ".gitattributes"), ATTRIBUTES);
  const next = join(dirname(folder), `.next-${process.pid}`);
  const old = join(dirname(folder), `.old-${process.pid}`);
  try {
    cpSync(fetched, next, { recursive: true, verbatimSymlinks: true });
    renameIfThere(folder, old);
    renameSync(next, folder);
  } finally {
    for (const left of [next, old]) rmSync(left, { recursive: true, force: true, maxRetries: 5 });
  }
  const file = lockFile(configuration);
  const before = Object.entries(readLock(file) ?? {}).filter(([text]) => used.includes(text));
  const lock = { ...Object.fromEntries(before), [address.text]: entry };
  await writeAtomically(file, lockText(lock), { keep: true, mode: 0o644 });
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
