import { TenterhookError } from "../../core/base/errors.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import { agentName, isTagOf } from "../agent-name.ts";

/** So many decisions are shown unless more are asked for. */
export const MOST_DECISIONS = 1000;
const MOST_NAMED = 5;
const SHORTEST_ID = 4;

/** As much of a decision's id as tells it from others. */
export function shownId(id: string, others: readonly HumanRequest[]): string {
  const isShared = (shown: string): boolean =>
    others.some((other) => other.id !== id && other.id.startsWith(shown));
  let length = SHORTEST_ID;
  while (length < id.length && isShared(id.slice(0, length))) length += 1;
  return id.slice(0, length);
}

/**
 * The decision with this id; the only open one of the agent with this name or tag; or the only one whose id begins like this,
 * an open one before closed ones.
 *
 * @throws TenterhookError `unknown_decision`, `ambiguous_name`.
 */
export function findDecision(decisions: readonly HumanRequest[], given: string): HumanRequest {
  const exact = decisions.find(({ id }) => id === given);
  if (exact !== undefined) return exact;
  const open = decisions.filter(({ state }) => state === "open");
  const ofAgent = open.filter((one) => one.agent_id === given || agentName(one) === given);
  const begin = (one: HumanRequest): boolean => given !== "" && one.id.startsWith(given);
  const [found = []] = [
    ofAgent,
    open.filter(begin),
    open.filter((one) => isTagOf(given, one)),
    decisions.filter(begin),
  ].filter((some) => some.length > 0);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined)
    throw new TenterhookError(
      "unknown_decision",
      `There is no decision or agent ${JSON.stringify(given)}.${open.length === 0 ? "" : ` Open: ${listed(open)}.`}`,
    );
  const isOneAgent = found.every(({ agent_id }) => agent_id === first.agent_id);
  const which =
    found === ofAgent && isOneAgent
      ? `${given} has ${found.length} open decisions`
      : `Several decisions ${found.every(begin) ? "begin with" : "are meant by"} ${JSON.stringify(given)}`;
  throw new TenterhookError("ambiguous_name", `${which}: ${listed(found)}.`);

  function listed(some: readonly HumanRequest[]): string {
    const shown = some.slice(0, MOST_NAMED).map((one) => `${shownId(one.id, decisions)} (${agentName(one)})`);
    const more = some.length > MOST_NAMED ? ` and ${some.length - MOST_NAMED} more` : "";
    return `${shown.join(", ")}${more}`;
  }
}
