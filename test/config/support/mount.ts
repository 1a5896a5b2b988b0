import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { notLinux, notRoot } from "../../support/not-here.ts";

/** Why this user can't mount a file system, for disks that are full or read-only; `undefined` where he can. */
export const noMount = notLinux ?? notRoot ?? forbidden();

/** A tiny file system, gone when the test has ended. */
export function mounted(folder: string, options: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  onTestFinished(() => {
    execFileSync("umount", [folder], { stdio: "ignore" });
  });
}

function forbidden(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return undefined;
  } catch {
    return "This machine forbids mounts.";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
