import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { Monitor } from "../monitor.ts";
import { failuresOnce } from "../tick.ts";

/** Says which of some runs of the fleet wait for nobody any more, and who has answered them. */
export type EndedQuestions = (run_ids: readonly string[]) => Promise<
  readonly {
    readonly run_id: string;
    readonly answered?: { readonly by: string; readonly channel: string; readonly answer?: unknown };
  }[]
>;

/**
 * Closes the questions of runs that were answered or cancelled elsewhere. A worker of this machine that continues one says so
 * itself; one of another machine says it there.
 */
export function parkedLooks(
  monitor: Pick<Monitor, "agents" | "report">,
  endedQuestions: EndedQuestions,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const look = async (): Promise<void> => {
    const parked = (await monitor.agents()).filter(isParked);
    if (parked.length === 0) return;
    const ended = await endedQuestions(parked.flatMap(({ session_id }) => session_id ?? []));
    for (const { run_id, answered } of ended) {
      const agent = parked.find(({ session_id }) => session_id === run_id);
      if (agent === undefined) continue;
      const fields = answered ?? { by: "The run was cancelled." };
      await monitor.report({ type: "agent:answer", agent, fields: { continues: true, ...fields } });
      const now = (await monitor.agents()).find(({ agent_id }) => agent_id === agent.agent_id);
      if (now?.state === "working" && now.pid === agent.pid)
        await monitor.report({ type: "agent:exit", agent: now });
    }
  };
  const { succeed, fail } = failuresOnce(onError);
  return () => look().then(succeed, fail);
}

function isParked({ fleet, suspended, machine, pending }: AgentStatus): boolean {
  return fleet === true && suspended === true && machine === undefined && pending === undefined;
}
