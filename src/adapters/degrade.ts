import type { Decision } from "../core/decision.ts";
import type { Effect } from "../core/effects.ts";
import type { Degrade, Loss } from "./adapter.ts";
import { effectsOf } from "./effects-of.ts";

/** What an agent hears on one event. */
export interface Hearing {
  /** The agent as people call it. */
  readonly agent: string;
  /** The event as the agent calls it. */
  readonly event: string;
  readonly hears: ReadonlySet<Effect>;
  /** True when a refusal would stop something there. */
  readonly gate: boolean;
  readonly degrade: Degrade;
}

/** A decision as an agent can be told it, with what could not be told as it was decided. */
export interface Degraded {
  readonly decision: Decision;
  /** The parts of it that the agent is told, verdict first. */
  readonly effects: readonly Effect[];
  readonly losses: readonly Loss[];
}

/**
 * Puts what an agent has no way to hear into what it has: on a gate a refusal, unless `degrade` says otherwise; on any
 * other event a message to the user. A refusal that can't be said ends the run: nothing goes on as if it had been
 * allowed.
 */
export function degraded(decision: Decision, hearing: Hearing): Degraded {
  const { hears } = hearing;
  const wanted = effectsOf(decision);
  const effects = wanted.filter((effect) => hears.has(effect));
  const losses = wanted
    .filter((effect) => !hears.has(effect))
    .map((effect): Loss => {
      const became = refuses(effect, hearing) ? "deny" : "observe";
      const instead = became === "deny" ? "It is refused instead." : "It goes on without.";
      return { effect, became, message: `${sentence(effect, hearing)} ${instead}` };
    });
  const refused = losses.filter(({ became }) => became === "deny");
  if (refused.length === 0) return { decision, effects, losses };
  const reason = [decision.reason ?? [], refused.map(({ message }) => message)].flat().join("\n");
  const denied: Decision = { ...decision, action: "deny", reason };
  const beside = effects.filter((effect) => !OF_THE_CALL.has(effect));
  return hears.has("deny")
    ? { decision: denied, effects: ["deny", ...beside], losses }
    : { decision: { ...denied, abort: { reason } }, effects: beside, losses };
}

/** What is said of a call that goes on; a refused one has none of it. */
const OF_THE_CALL: ReadonlySet<Effect> = new Set(["allow", "ask", "deny", "rewrite"]);

function refuses(effect: Effect, { gate, degrade }: Hearing): boolean {
  if (!gate) return false;
  switch (effect) {
    case "deny":
      return true;
    case "ask":
      return degrade.ask !== "observe";
    case "rewrite":
      return degrade.rewrite !== "observe";
    default:
      return false;
  }
}

function sentence(effect: Effect, { agent, event }: Hearing): string {
  return `${agent} has no way to hear ${effect.replaceAll("_", " ")} on ${event}.`;
}
