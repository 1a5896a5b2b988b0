import { systemCode } from "../system-code.ts";
import { procStat } from "./identity/proc-stat.ts";

/** Sends a signal to a process, or to a process group by its negative id. Returns false when none can be reached. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
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
