import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isRunning } from "../signals.ts";
import { procStat } from "./proc-stat.ts";

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
  own ??= processMark(process.pid);
  return own;
}

/** Identifies a running process of this machine. */
export function processMark(pid: number): ProcessMark {
  const started = startOf(pid);
  return { pid, host: hostname(), machine: thisMachine(), ...(started === undefined ? {} : { started }) };
}

/** True when the process has ended, even if its id is in use again; `undefined` when that can't be seen from here. */
export function hasEnded({ pid, machine, started }: ProcessMark): boolean | undefined {
  if (machine !== thisProcess().machine) return undefined;
  if (!isRunning(pid)) return true;
  const present = startOf(pid);
  return started !== undefined && present !== undefined && present !== started;
}

/** True when the process was started before this machine was last started. */
export function isOfEarlierBoot({ host, machine }: Pick<ProcessMark, "host" | "machine">): boolean {
  const [boot] = machine.split(" ");
  const [present] = thisProcess().machine.split(" ");
  return host === hostname() && boot !== present;
}

function startOf(pid: number): string | undefined {
  if (process.platform === "linux") return procStat(pid)?.started;
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

function thisMachine(): string {
  if (process.platform !== "linux") return hostname();
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
