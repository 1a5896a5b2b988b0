import { TenterhookError } from "../../core/base/errors.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";

const MOST_NAMED = 5;

/**
 * The decision with this id, or the only one whose id begins like this; an open one before closed ones.
 *
 * @throws TenterhookError `unknown_decision`, `ambiguous_name`.
 */
export function findDecision(decisions: readonly HumanRequest[], id: string): HumanRequest {
  const found = id === "" ? [] : decisions.filter((decision) => decision.id.startsWith(id));
  const open = found.filter(({ state }) => state === "open");
  const [first, ...others] = open.length > 0 ? open : found;
  const exact = found.find((decision) => decision.id === id);
  if (exact !== undefined) return exact;
  if (first === undefined)
    throw new TenterhookError("unknown_decision", `There is no decision ${JSON.stringify(id)}.`);
  if (others.length === 0) return first;
  const matching = [first, ...others].map((decision) => decision.id);
  const more = matching.length > MOST_NAMED ? ` and ${matching.length - MOST_NAMED} more` : "";
  const ids = `${matching.slice(0, MOST_NAMED).join(", ")}${more}`;
  throw new TenterhookError("ambiguous_name", `Several decisions begin with ${JSON.stringify(id)}: ${ids}.`);
}
