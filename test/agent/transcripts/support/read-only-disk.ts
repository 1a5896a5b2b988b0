import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/**
 * A folder that can't be written to, as `fill` has filled it: mounted so where this user may mount one, otherwise one without
 * permissions. `undefined` for who may do everything but mount.
 */
export async function readOnlyDisk(fill: (folder: string) => Promise<void>): Promise<string | undefined> {
  const folder = temporaryFolder();
  const [filled, disk] = [join(folder, "filled"), join(folder, "disk")];
  mkdirSync(filled);
  mkdirSync(disk);
  await fill(filled);
  if (process.getuid?.() !== 0) {
    protect(filled, 0o500);
    onTestFinished(() => protect(filled, 0o700));
    return filled;
  }
  try {
    execFileSync("mount", ["--bind", filled, disk], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", disk]));
  execFileSync("mount", ["-o", "remount,ro,bind", disk]);
  return disk;
}

function protect(folder: string, mode: number): void {
  chmodSync(folder, mode);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? mode : mode & 0o600);
}
