import { basename } from "node:path";
import { TenterhookError } from "../core/base/errors.ts";
import { didYouMean } from "../core/base/suggest.ts";
import type { AgentStatus, HumanRequest } from "../shared/monitor/monitor.ts";
import { SHORTEST_TAG, tagsOf } from "../shared/tags.ts";

type Named = Pick<AgentStatus, "agent_id" | "machine" | "session_id" | "host" | "cwd"> & {
  readonly state?: AgentStatus["state"] | HumanRequest["state"];
  readonly agent_name?: string;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOST_NAMED = 5;

/**
 * What people call an agent: its name, or `claude in shop` when it has only the id of its session. Of another machine:
 * `worker-1@laptop`, or `claude in shop on laptop`.
 */
export function agentName({ agent_id, agent_name, machine, session_id, host, cwd }: Named): string {
  if (agent_name !== undefined) return agent_name;
  const own = ownId({ agent_id, machine });
  const isNamed = own !== session_id && !UUID.test(own);
  if (isNamed || (host === undefined && cwd === undefined)) return agent_id;
  const folder = cwd === undefined ? "" : ` in ${basename(cwd) || cwd}`;
  return `${host ?? "agent"}${folder}${machine === undefined ? "" : ` on ${machine}`}`;
}

function ownId({
  agent_id,
  machine,
}: {
  readonly agent_id: string;
  readonly machine?: string | undefined;
}): string {
  return machine === undefined ? agent_id : agent_id.slice(0, -`@${machine}`.length);
}

/**
 * The agent with this id, name or tag, or the only one whose id, name or session begins like this.
 *
 * @throws TenterhookError `unknown_agent`; `ambiguous_name` with the candidates.
 */
export function findAgent<Agent extends Named>(agents: readonly Agent[], given: string): Agent {
  const names = agentNames(agents);
  const wordsOf = (one: Agent): readonly string[] =>
    [one.agent_id, names.get(one.agent_id), agentName(one), one.session_id].filter(
      (word) => word !== undefined,
    );
  const [found = []] = [
    agents.filter((one) => one.agent_id === given || names.get(one.agent_id) === given),
    agents.filter((one) => wordsOf(one).includes(given)),
    agents.filter((one) => isTagOf(given, one)),
    agents.filter((one) => given !== "" && wordsOf(one).some((word) => word.startsWith(given))),
  ].filter((some) => some.length > 0);
  const [first, ...others] = found;
  if (first === undefined) {
    const near = didYouMean(given, agents.flatMap(wordsOf));
    throw new TenterhookError("unknown_agent", `There is no agent ${JSON.stringify(given)}.${near}`, {
      hint: "tenterhook agents --all shows all of them.",
    });
  }
  if (others.length === 0) return first;
  const shown = found.slice(0, MOST_NAMED).map(({ agent_id }) => {
    const name = names.get(agent_id) ?? agent_id;
    return name === agent_id ? name : `${name}, ${agent_id}`;
  });
  const more = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : "";
  throw new TenterhookError(
    "ambiguous_name",
    `Several agents are meant by ${JSON.stringify(given)}: ${shown.join("; ")}${more}.`,
  );
}

/** The names of agents by their ids, each different. One that has ended leaves its name to one that has not. */
export function agentNames(agents: readonly Named[]): ReadonlyMap<string, string> {
  const names = agents.map(agentName);
  return new Map(
    [...new Set(names)].flatMap((name) => {
      const all = agents.filter((_, at) => names[at] === name);
      const living = all.filter(({ state }) => state !== "exited" && state !== "gone");
      const tag = tagsOf(all.map(ownId));
      return all.map((one) => {
        const isAlone = all.length === 1 || (living.length === 1 && living[0] === one);
        return [one.agent_id, isAlone ? name : `${name} (${tag(ownId(one))})`] as const;
      });
    }),
  );
}

/** Questions with the names of their agents, where these take more than a question says itself. */
export function withAgentNames<Asked extends Named>(
  asked: readonly Asked[],
  agents: readonly Named[],
): readonly Asked[] {
  const names = agentNames(agents);
  return asked.map((one) => {
    const agent_name = names.get(one.agent_id);
    return agent_name === undefined || agent_name === agentName(one) ? one : { ...one, agent_name };
  });
}

/** True for the tag of an agent's name, or more of the end of its id. */
export function isTagOf(given: string, agent: Pick<Named, "agent_id" | "machine">): boolean {
  return given.length >= SHORTEST_TAG && ownId(agent).endsWith(given);
}
