/** Sends a signal to a process, or to a group by its negative id. False when there is nobody, or nobody we may reach. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
