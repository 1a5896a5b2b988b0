import type { Monitor } from "../monitor.ts";

export type HeardMachines = ReturnType<typeof heardMachines>;

/** When other machines were last heard, by their names, in milliseconds since 1970. */
export function heardMachines() {
  const since = Date.now();
  const heard = new Map<string, number>();
  return {
    hear(machine: string, at = Date.now()): void {
      heard.set(machine, Math.max(at, heard.get(machine) ?? 0));
    },
    /** For a machine that was not heard yet: when this daemon began. */
    heardAt: (machine: string): number => heard.get(machine) ?? since,
  };
}

/** A machine that reports asks for answers every half a minute. */
export const SILENT_MILLISECONDS = 70_000;

/**
 * Says of agents that work on a machine of which nothing was heard that there is no news of them, and takes it back when
 * the machine is heard again.
 *
 * @param heardAt when that was last, in milliseconds since 1970.
 */
export function silenceLooks(
  monitor: Pick<Monitor, "agents" | "report">,
  heardAt: (machine: string) => number,
  now: () => number = Date.now,
): () => Promise<void> {
  /** Those of which it was said. Of others their own machine may have said it. */
  const silent = new Set<string>();
  return async () => {
    for (const agent of await monitor.agents()) {
      const { agent_id, machine, state, no_news_since } = agent;
      if (machine === undefined || state !== "working") continue;
      const heard = heardAt(machine);
      const isSilent = now() - heard > SILENT_MILLISECONDS;
      if (isSilent && no_news_since === undefined) {
        silent.add(agent_id);
        const fields = { no_news_since: new Date(heard).toISOString() };
        await monitor.report({ type: "agent:quiet", agent, fields });
      } else if (!isSilent && silent.delete(agent_id) && no_news_since !== undefined)
        await monitor.report({ type: "agent:news", agent });
    }
  };
}
