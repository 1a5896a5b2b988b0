import { basename } from "node:path";
import { TenterhookError } from "../core/base/errors.ts";
import { didYouMean } from "../core/base/suggest.ts";
import type { AgentStatus } from "../shared/monitor/monitor.ts";

type Named = Pick<AgentStatus, "agent_id" | "machine" | "session_id" | "host" | "cwd">;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOST_NAMED = 5;
/** How much of an id tells two agents of one folder apart. */
const TOLD_APART = 4;

/**
 * What people call an agent: its name, or `claude in shop` when it has only the id of its session. Of another machine:
 * `worker-1@laptop`, or `claude in shop on laptop`.
 */
export function agentName({ agent_id, machine, session_id, host, cwd }: Named): string {
  const own = machine === undefined ? agent_id : agent_id.slice(0, -`@${machine}`.length);
  const isNamed = own !== session_id && !UUID.test(own);
  if (isNamed || (host === undefined && cwd === undefined)) return agent_id;
  const folder = cwd === undefined ? "" : ` in ${basename(cwd) || cwd}`;
  return `${host ?? "agent"}${folder}${machine === undefined ? "" : ` on ${machine}`}`;
}

/**
 * The agent with this id or name, or the only one whose id, name or session begins like this.
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

/** The names of agents by their ids, each different. */
export function agentNames(agents: readonly Named[]): ReadonlyMap<string, string> {
  const names = agents.map(agentName);
  return new Map(
    agents.map(({ agent_id }, at) => {
      const name = names[at] ?? agent_id;
      const isShared = names.indexOf(name) !== names.lastIndexOf(name);
      return [agent_id, isShared ? `${name} (${agent_id.slice(0, TOLD_APART)})` : name];
    }),
  );
}
