import { monitorClient } from "../../monitor/client.ts";
import { agentVariable, originOf } from "../../monitor/person/origin.ts";
import { mustBe, type Standing, standingOf } from "../../monitor/person/standing.ts";
import type { Invocation } from "./command.ts";

/** Whether this process may act in its user's name; the monitor knows what they have said about its terminal. Never rejects. */
export async function ownStanding(environment: NodeJS.ProcessEnv): Promise<Standing> {
  const client = monitorClient(environment);
  const [agents, daemon] = await Promise.all([
    client.agents().catch(() => []),
    client.info().catch(() => undefined),
  ]);
  // What this process has begun itself says nothing about who has started it.
  const others = agents.filter(({ pid }) => pid !== process.pid);
  const here = standingOf(await originOf(process.pid, { agents: others, daemon: daemon?.pid }));
  if (here.is === "refused" || daemon === undefined) return here;
  const there = await client.standing().catch(() => here);
  return there.is === "asked" && there.session === undefined ? here : there;
}

/** Whether a command may act in its user's name. Never rejects. */
export async function standingFor({ environment, standing }: Invocation): Promise<Standing> {
  const variable = await agentVariable(environment);
  return variable === undefined
    ? standing(environment)
    : { is: "refused", why: `An agent has started this command: ${variable}.` };
}

/**
 * Checks that a person has started a command that decides for its user.
 *
 * @throws TenterhookError `not_a_person`.
 */
export async function mustBePerson(invocation: Invocation): Promise<Standing & { readonly is: "person" }> {
  const standing = await standingFor(invocation);
  mustBe(standing, "Only a person decides this.");
  return standing;
}
