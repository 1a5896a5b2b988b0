import { systemOf } from "../../shared/system/system.ts";
import { builtin } from "../builtin.ts";
import { SYSTEM } from "../system.ts";
import { systemCode } from "../system-code.ts";

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

/** Times in one language, and no long look. */
const PS = { encoding: "utf8", env: { PATH: process.env.PATH, LC_ALL: "C" }, timeout: 2000 } as const;

let own: ProcessMark | undefined;
let machineHere: string | undefined;

export function thisProcess(): ProcessMark {
  own ??= processMark(process.pid);
  return own;
}

/** Identifies a running process of this machine. */
export function processMark(pid: number): ProcessMark {
  const started = startOf(pid);
  return { pid, host: hostname(), machine: thisMachine(), started };
}

/** When processes were started, by id. */
export type Starts = ReadonlyMap<number, string>;

/**
 * True when the process has ended, even if its id is in use again; `undefined` when that can't be seen from here.
 *
 * @param starts what `startsOf` has found, for somebody who asks about many.
 */
export function hasEnded({ pid, machine, started }: ProcessMark, starts?: Starts): boolean | undefined {
  if (machine !== thisMachine()) return undefined;
  if (!isRunning(pid)) return true;
  if (started === undefined) return false;
  const present = starts === undefined ? startOf(pid) : starts.get(pid);
  return present !== undefined && present !== started;
}

/** When these processes were started, as far as the system tells, without blocking this one. Never rejects. */
export async function startsOf(pids: readonly number[], platform = process.platform): Promise<Starts> {
  if (!systemOf(platform).posixShell || pids.length === 0) return new Map();
  if (platform !== "linux") return startsFromPs(pids);
  return new Map(
    pids.flatMap((pid) => {
      const stat = procStat(pid);
      return stat === undefined ? [] : [[pid, stat.started] as const];
    }),
  );
}

/** One `ps` for all of them. It fails when one of them is not there, and names the others. */
function startsFromPs(pids: readonly number[]): Promise<Starts> {
  return new Promise((resolve) => {
    builtin.childProcess.execFile(
      "ps",
      ["-o", "pid=,lstart=", "-p", pids.join(",")],
      PS,
      (_error, output) => {
        const lines = [...output.matchAll(/^\s*(\d+)\s+(.*\S)/gm)];
        resolve(new Map(lines.map(([, pid, started = ""]) => [Number(pid), started])));
      },
    );
  });
}

/** True when the process was started before this machine was last started. */
export function isOfEarlierBoot({ host, machine }: Pick<ProcessMark, "host" | "machine">): boolean {
  const [boot] = machine.split(" ");
  const [present] = thisMachine().split(" ");
  return host === hostname() && boot !== present;
}

function startOf(pid: number): string | undefined {
  if (process.platform === "linux") return procStat(pid)?.started;
  if (!SYSTEM.posixShell) return undefined;
  try {
    const started = builtin.childProcess
      .execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
        ...PS,
        stdio: ["ignore", "pipe", "ignore"],
      })
      .trim();
    return started === "" ? undefined : started;
  } catch {
    return undefined;
  }
}

function thisMachine(): string {
  machineHere ??= readMachine();
  return machineHere;
}

function readMachine(): string {
  if (process.platform !== "linux") return hostname();
  try {
    const boot = builtin.fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${builtin.fs.readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

function hostname(): string {
  return builtin.os.hostname();
}

/** A process as Linux describes it. */
export interface ProcStat {
  readonly name: string;
  /** `R` running, `S` sleeping, `Z` ended and not yet collected by its parent. */
  readonly state: string;
  readonly parent: number;
  /** The process that began its session: a shell, for what is typed in a terminal. */
  readonly session: number;
  /** The terminal of its session; 0 without one. */
  readonly terminal: number;
  /** When it was started, in clock ticks since boot. */
  readonly started: string;
}

/** Reads `/proc/PID/stat`. `undefined` when there is no such process, or the system is not Linux. Never throws. */
export function procStat(pid: number): ProcStat | undefined {
  if (process.platform !== "linux" || pid <= 0) return undefined;
  try {
    const text = builtin.fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in parentheses and may contain some.
    const end = text.lastIndexOf(")");
    const [state = "", parent, , session, terminal, ...rest] = text.slice(end + 2).split(" ");
    return {
      name: text.slice(text.indexOf("(") + 1, end),
      state,
      parent: Number(parent ?? 0),
      session: Number(session ?? 0),
      terminal: Number(terminal ?? 0),
      started: rest[14] ?? "",
    };
  } catch {
    return undefined;
  }
}

/**
 * True when a process has this id, or a process group its negative, also one of another user. A process that has ended
 * and whose parent has not looked yet is not running, where the system tells.
 */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && procStat(pid)?.state !== "Z";
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}
