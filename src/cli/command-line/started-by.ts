import { TenterhookError } from "../../core/base/errors.ts";
import { monitorClient } from "../../monitor/client.ts";
import { agentVariable, whoStarted } from "../../monitor/who-started.ts";
import type { Invocation } from "./command.ts";

/** Why an agent has started this command, a sentence; `undefined` when nothing says so. Never rejects. */
export async function startedByAgent({ environment, parent }: Invocation): Promise<string | undefined> {
  const variable = await agentVariable(environment);
  if (variable !== undefined) return `An agent has started this command: ${variable}.`;
  const client = monitorClient(environment);
  const [agents, daemon] = await Promise.all([
    client.agents().catch(() => []),
    client.info().catch(() => undefined),
  ]);
  const starter = await whoStarted(parent, { agents, daemon: daemon?.pid });
  return starter.by === "agent" ? starter.why : undefined;
}

/**
 * Checks that no agent has started a command that decides for its user.
 *
 * @throws TenterhookError `not_a_person`.
 */
export async function mustBePerson(invocation: Invocation): Promise<void> {
  const why = await startedByAgent(invocation);
  if (why !== undefined) throw new TenterhookError("not_a_person", `Only a person decides this. ${why}`);
}
