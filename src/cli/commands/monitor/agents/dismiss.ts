import { agentNames } from "../../../../monitor/agent-name.ts";
import { hasGone } from "../../../../monitor/report/agent-process.ts";
import { appendToSpool } from "../../../../monitor/report/spool.ts";
import type { AgentStatus } from "../../../../shared/monitor/monitor.ts";
import type { CommandRun, Invocation } from "../../../command-line/command.ts";
import { mustBePerson } from "../../../command-line/person.ts";
import { counted, harmlessLine } from "../../../command-line/screen/text.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import { connected } from "../daemon/connect.ts";
import { hasEnded } from "../status/shown-agents.ts";
import { named } from "./named-agent.ts";

/**
 * Takes an agent that has ended off the list, or all of them.
 *
 * @throws TenterhookError `usage_error` for one that runs.
 */
export const run: CommandRun = async (invocation) => {
  const { environment, names } = invocation;
  await mustBePerson(invocation);
  const chosen = names.length === 0 ? await allEnded(invocation) : [await oneEnded(invocation)];
  for (const { agent_id, session_id } of chosen)
    appendToSpool({ type: "agent:dismissed", agent_id, session_id }, environment);
  const [first] = chosen;
  const what =
    chosen.length === 1 && first !== undefined
      ? harmlessLine(agentNames([first]).get(first.agent_id) ?? "")
      : counted(chosen.length, "agent");
  const done = `Took ${what} off the list. tenterhook agents --all still shows it.`;
  return {
    json: { dismissed: chosen.map(({ agent_id }) => agent_id) },
    blocks: [chosen.length === 0 ? "No agent has ended." : done],
  };
};

async function allEnded(invocation: Invocation): Promise<readonly AgentStatus[]> {
  const agents = await (await connected(invocation)).agents();
  return agents.filter((agent) => hasEnded(agent) && agent.dismissed !== true);
}

async function oneEnded(invocation: Invocation): Promise<AgentStatus> {
  const { agent, name } = await named(invocation);
  // Nobody knows about one without a process; it comes back with what it reports next.
  if (hasEnded(agent) || agent.pid === undefined || hasGone(agent)) return agent;
  throw usageError(`${name} has not ended.`, `tenterhook agents stop ${agent.agent_id} ends it.`);
}
