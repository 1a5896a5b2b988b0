import { basename } from "node:path";
import type { AgentStatus } from "../../../shared/monitor/monitor.ts";

/** A cost for people; `-` when it is not known, never zero. */
export function dollars(cost: number | undefined): string {
  if (cost === undefined) return "-";
  return cost > 0 && cost < 0.005 ? "<$0.01" : `$${cost.toFixed(2)}`;
}

/** What agents have cost together, and why a cost is missing. Nothing when none of them has used a model. */
export function costLines(agents: readonly AgentStatus[]): readonly string[] {
  const used = agents.filter(
    ({ usage: { total_tokens = 0, cost_usd = 0 } = {} }) => total_tokens + cost_usd > 0,
  );
  if (used.length === 0) return [];
  const unpriced = used.some(({ usage }) => usage?.cost_usd === undefined);
  const sum = sumOf(used);
  const projects = sumsBy(used, ({ cwd }) => (cwd === undefined ? "elsewhere" : basename(cwd)));
  const programs = sumsBy(used, ({ host = "other" }) => host);
  const total = `${dollars(sum)}${unpriced && sum !== undefined ? " and what has no price" : ""}`;
  return [
    `Cost: ${total}. By project: ${projects}. By program: ${programs}.`,
    ...(unpriced
      ? ["-: the price of a model is not known; models.prices in your configuration sets it."]
      : []),
  ];
}

/** `undefined` when no cost is known. */
function sumOf(agents: readonly AgentStatus[]): number | undefined {
  const costs = agents.flatMap(({ usage }) => usage?.cost_usd ?? []);
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}

function sumsBy(agents: readonly AgentStatus[], nameOf: (agent: AgentStatus) => string): string {
  return [...new Set(agents.map(nameOf))]
    .map((name) => ({ name, cost: sumOf(agents.filter((agent) => nameOf(agent) === name)) }))
    .sort((one, other) => (other.cost ?? -1) - (one.cost ?? -1))
    .map(({ name, cost }) => `${name} ${dollars(cost)}`)
    .join(", ");
}
