import { execFileSync, spawnSync } from "node:child_process";

/**
 * Whether the sandbox can be tried here for real. On Linux `bwrap` must be there: root installs it, anybody else is
 * told to. Where it is there but the machine forbids namespaces, as some containers do, only its error can be tried.
 */
export const sandboxWorks = process.platform === "linux" && works();

function works(): boolean {
  if (!installed()) {
    if (process.getuid?.() === 0)
      execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "bubblewrap"], {
        stdio: "ignore",
      });
    if (!installed()) throw new Error("These tests need bubblewrap: apt-get install bubblewrap.");
  }
  const args = ["--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true"];
  const { status, stderr } = spawnSync("bwrap", args, { encoding: "utf8" });
  if (status !== 0) console.warn(`The sandbox is not tried for real: ${stderr.trim()}`);
  return status === 0;
}

function installed(): boolean {
  return spawnSync("bwrap", ["--version"]).status === 0;
}
