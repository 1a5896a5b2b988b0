import { builtin } from "../builtin.ts";
import { systemCode } from "../system-code.ts";

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
    return process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== "linux" || pid < 0) return false;
  try {
    const text = builtin.fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name is in parentheses and may contain anything.
    return text.slice(text.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}
