import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const SHELLS = /^-?(?:sh|bash|dash|ash|zsh|ksh|fish|busybox|env)$/;
const MOST_PARENTS = 5;

/**
 * The program that started this process, not counting shells in between; `undefined` when the system does not say.
 * Never throws.
 */
export function parentProgram(): number | undefined {
  let pid = process.ppid;
  for (let depth = 0; depth < MOST_PARENTS && pid > 1; depth += 1) {
    const found = processAt(pid);
    if (found === undefined) return undefined;
    if (!SHELLS.test(found.name)) return pid;
    pid = found.parent;
  }
  return undefined;
}

interface Found {
  readonly name: string;
  readonly parent: number;
}

function processAt(pid: number): Found | undefined {
  try {
    return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

function fromProc(pid: number): Found {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name is in parentheses and may contain some; the state and the parent follow.
  const end = text.lastIndexOf(")");
  const [, parent = "0"] = text.slice(end + 2).split(" ");
  return { name: text.slice(text.indexOf("(") + 1, end), parent: Number(parent) };
}

function fromPs(pid: number): Found | undefined {
  const said = execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], {
    encoding: "utf8",
    timeout: 1000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [, parent, path = ""] = /^\s*(\d+)\s+(.*\S)/.exec(said) ?? [];
  return parent === undefined
    ? undefined
    : { name: path.slice(path.lastIndexOf("/") + 1), parent: Number(parent) };
}
