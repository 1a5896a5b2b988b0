import { isRunning } from "../../node/process/signals.ts";
import type { Monitor } from "../monitor.ts";

const LOOK_MILLISECONDS = 2000;

/** Notices agents whose process has ended without a word. */
export function watchProcesses(monitor: Monitor, onError: (error: unknown) => void) {
  const look = async (): Promise<void> => {
    for (const agent of await monitor.agents()) {
      const { state, pid } = agent;
      if (pid === undefined || state === "exited" || state === "gone") continue;
      if (!isRunning(pid)) await monitor.report("agent:gone", agent);
    }
  };
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    look()
      .catch(onError)
      .finally(() => {
        busy = false;
      });
  }, LOOK_MILLISECONDS);
  return { close: () => clearInterval(timer) };
}
