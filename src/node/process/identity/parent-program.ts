import { execFileSync } from "node:child_process";
import { type ProcStat, procStat } from "./proc-stat.ts";

const SHELLS = /^-?(?:sh|bash|dash|ash|zsh|ksh|fish|busybox|env)$/;
const MOST_PARENTS = 5;

/**
 * The first process that is no shell, from this one upwards; `undefined` when the system does not say. Never throws.
 */
export function programAbove(first: number): number | undefined {
  let pid = first;
  for (let depth = 0; depth < MOST_PARENTS && pid > 1; depth += 1) {
    const found = processAt(pid);
    if (found === undefined) return undefined;
    if (!SHELLS.test(found.name)) return pid;
    pid = found.parent;
  }
  return undefined;
}

type Found = Pick<ProcStat, "name" | "parent">;

function processAt(pid: number): Found | undefined {
  try {
    return process.platform === "linux" ? procStat(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): Found | undefined {
  const line = execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], {
    encoding: "utf8",
    timeout: 1000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [, parent, path = ""] = /^\s*(\d+)\s+(.*\S)/.exec(line) ?? [];
  return parent === undefined
    ? undefined
    : { name: path.slice(path.lastIndexOf("/") + 1), parent: Number(parent) };
}
