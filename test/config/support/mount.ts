import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** True where this user may mount a file system of his own, for disks that are full or read-only. */
export const canMount = process.platform === "linux" && process.getuid?.() === 0 && mountWorks();

/** A tiny file system, gone when the test has ended. */
export function mounted(folder: string, options: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  onTestFinished(() => {
    execFileSync("umount", [folder], { stdio: "ignore" });
  });
}

function mountWorks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
