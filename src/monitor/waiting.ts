import { allSpooled, type SpoolRecord } from "./spool.ts";

/** The prompts that a hook holds until somebody answers them, the oldest first. Never throws. */
export function waitingPrompts(environment: NodeJS.ProcessEnv): readonly SpoolRecord[] {
  const records = allSpooled(environment);
  const answered = new Set(records.flatMap(({ type, prompt }) => (type === "agent:answer" ? [prompt] : [])));
  return records.filter((record) => isHeld(record) && !answered.has(record.id));
}

function isHeld({ type, waits_until, pid }: SpoolRecord): boolean {
  if (type !== "agent:prompt" || typeof waits_until !== "string") return false;
  return Date.parse(waits_until) > Date.now() && (typeof pid !== "number" || isAlive(pid));
}

/** False when the agent has ended the process that waited. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
