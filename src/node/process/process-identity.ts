import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isRunning } from "./signals.ts";

/** Identifies a process, so that another one can tell whether it is still running. */
export interface ProcessMark {
  readonly pid: number;
  /** For people. */
  readonly host: string;
  /** Where process ids are comparable: a machine since its last boot, and in it a container. */
  readonly machine: string;
  /** When it was started, since process ids are reused. */
  readonly started?: string;
}

const LONGEST_LOOK_MILLISECONDS = 2000;

let own: ProcessMark | undefined;

export function thisProcess(): ProcessMark {
  if (own !== undefined) return own;
  const started = startOf(process.pid);
  own = {
    pid: process.pid,
    host: hostname(),
    machine: thisMachine(),
    ...(started === undefined ? {} : { started }),
  };
  return own;
}

/** True when the process has ended, even if its id is in use again; `undefined` when that can't be seen from here. */
export function hasEnded({ pid, machine, started }: ProcessMark): boolean | undefined {
  if (machine !== thisProcess().machine) return undefined;
  if (!isRunning(pid)) return true;
  const present = startOf(pid);
  return started !== undefined && present !== undefined && present !== started;
}

function startOf(pid: number): string | undefined {
  if (process.platform === "linux") return startedAt(pid);
  if (process.platform === "win32") return undefined;
  try {
    const said = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      timeout: LONGEST_LOOK_MILLISECONDS,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    return said === "" ? undefined : said;
  } catch {
    return undefined;
  }
}

function startedAt(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name is in parentheses and may contain anything; the state is the third field.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function thisMachine(): string {
  if (process.platform !== "linux") return hostname();
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
