import { TenterhookError } from "../../core/base/errors.ts";
import type { AgentStatus, MonitorStore } from "../../shared/monitor/monitor.ts";
import type { Receipt } from "../../shared/monitor/receipt.ts";
import { agentNames } from "../agent-name.ts";
import type { Monitor } from "../monitor.ts";
import { endAgent } from "../report/end-agent.ts";
import { isReached } from "../report/sources.ts";

/** How long somebody waits to see that a process has ended. */
const END_MILLISECONDS = 3000;

export type Control = ReturnType<typeof agentControl>;

/** What a person does to an agent from the page. */
export function agentControl(store: Pick<MonitorStore, "agents">, monitor: Pick<Monitor, "act">) {
  const named = async (id: string): Promise<readonly [AgentStatus, string]> => {
    const agents = await store.agents();
    const agent = agents.find(({ agent_id }) => agent_id === id);
    if (agent === undefined) throw new TenterhookError("unknown_agent", `There is no agent ${id}.`);
    return [agent, agentNames(agents).get(id) ?? id];
  };
  return {
    /** @throws TenterhookError `unknown_agent`, `agent_unreachable`. */
    async send(id: string, message: string): Promise<Receipt> {
      const [agent, name] = await named(id);
      if (!isReached(agent) || agent.machine !== undefined)
        throw new TenterhookError("agent_unreachable", `No message gets to ${name}.`);
      const given = await monitor.act(id, ({ pending }) =>
        pending === undefined ? { action: "nudge", message, asked: true, source: "idle" } : undefined,
      );
      if (given === undefined)
        throw new TenterhookError("agent_unreachable", `The monitor does something for ${name} already.`, {
          hint: "Try again in a moment.",
        });
      return { kind: "given", text: "Given to the monitor, which sends it." };
    },
    /** @throws TenterhookError `unknown_agent`, `agent_unreachable`. */
    async stop(id: string, signal: AbortSignal): Promise<Receipt> {
      const [agent, name] = await named(id);
      const hasEnded = await endAgent(agent, name, "SIGTERM").hasEnded(END_MILLISECONDS, signal);
      return hasEnded
        ? { kind: "taken", text: `${name} has ended.` }
        : { kind: "given", text: `${name} was asked to end and still runs.` };
    },
  };
}
