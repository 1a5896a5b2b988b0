import { spawnSync } from "node:child_process";
import { whyMissing } from "../../scripts/needed-programs.mjs";
import { notLinux } from "./not-here.ts";

/**
 * Why the sandbox can't be tried for real here, if it can't. Where the machine forbids namespaces, as some containers do, only its
 * error can be tried.
 */
export const noSandbox = notLinux ?? whyMissing("bwrap") ?? forbidden();

function forbidden(): string | undefined {
  const args = ["--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true"];
  const { status, stderr } = spawnSync("bwrap", args, { encoding: "utf8" });
  return status === 0 ? undefined : `This machine forbids namespaces: ${stderr.trim()}`;
}
