import type { MonitorEvent } from "../core/contracts/monitor.ts";
import { isRunning } from "../node/process/signals.ts";
import { allSpooled } from "./spool.ts";

/** The prompts that a hook holds until somebody answers them, the oldest first. Never throws. */
export function waitingPrompts(environment: NodeJS.ProcessEnv): readonly MonitorEvent[] {
  const records = allSpooled(environment);
  const answered = new Set(records.flatMap(({ type, prompt }) => (type === "agent:answer" ? [prompt] : [])));
  return records.filter((record) => isHeld(record) && !answered.has(record.id));
}

function isHeld({ type, waits_until, pid }: MonitorEvent): boolean {
  if (type !== "agent:prompt" || typeof waits_until !== "string") return false;
  return Date.parse(waits_until) > Date.now() && (typeof pid !== "number" || isRunning(pid));
}
