import { TenterhookError } from "../../../../core/base/errors.ts";
import { agentNames, findAgent } from "../../../../monitor/agent-name.ts";
import type { MonitorClient } from "../../../../monitor/client.ts";
import { newEventId } from "../../../../monitor/report/spool.ts";
import type { AgentStatus } from "../../../../shared/monitor/monitor.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { harmlessLine } from "../../../command-line/screen/text.ts";
import { resultOf } from "../actions/carry-out.ts";
import { connected } from "../daemon/connect.ts";

export interface NamedAgent {
  readonly agent: AgentStatus;
  /** What people call it. */
  readonly name: string;
  readonly client: MonitorClient;
}

/** @throws TenterhookError `unknown_agent`, `ambiguous_name`. */
export async function named(invocation: Invocation): Promise<NamedAgent> {
  const [given = ""] = invocation.names;
  const client = await connected(invocation);
  const agents = await client.agents();
  const agent = findAgent(agents, given);
  return { agent, client, name: harmlessLine(agentNames(agents).get(agent.agent_id) ?? agent.agent_id) };
}

/**
 * Gets a message to an agent, on the ways that a nudge of the monitor takes.
 *
 * @throws TenterhookError `agent_unreachable`.
 */
export async function sendTo(
  agent: AgentStatus,
  name: string,
  message: string,
  { environment, signal }: Pick<Invocation, "environment" | "signal">,
) {
  if (agent.machine !== undefined)
    throw new TenterhookError("agent_unreachable", `${name} runs on ${agent.machine}.`, {
      hint: "Send the message there.",
    });
  if (agent.pending !== undefined)
    throw new TenterhookError(
      "agent_unreachable",
      `The monitor does something for ${name}: ${agent.pending.action}.`,
      { hint: "Try again in a moment." },
    );
  const when = { id: newEventId(), time: new Date().toISOString() };
  const nudge = { ...when, action: "nudge", source: "idle", message, asked: true } as const;
  const result = await resultOf(agent, nudge, environment, signal);
  if (!result.ok) throw new TenterhookError("agent_unreachable", result.why ?? `${name} got no message.`);
  return result;
}
