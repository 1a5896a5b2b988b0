import { systemCode } from "../system-code.ts";

/** Sends a signal to a process, or to a process group by its negative id. Returns false when none can be reached. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** True when a process has this id, or a process group its negative, also one of another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}
