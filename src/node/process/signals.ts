/** Sends a signal to a process, or to a process group by its negative id. Returns false when none can be reached. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
