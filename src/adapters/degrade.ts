import type { Decision } from "../core/decide/decision.ts";
import type { Effect } from "../core/events/effects.ts";
import type { Degrade, Loss } from "./adapter.ts";
import { effectsOf } from "./effects-of.ts";

/** What an agent hears on one event. */
export interface Hearing {
  /** The agent as people call it. */
  readonly agent: string;
  /** The event as the agent calls it. */
  readonly event: string;
  readonly hears: ReadonlySet<Effect>;
  /** Why it does not hear one that it would hear in another form; a sentence. */
  readonly because?: Readonly<Partial<Record<Effect, string>>>;
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

/** How something is kept from going on: the call is refused, or the run ends. */
type Stop = "deny" | "abort";

/**
 * Puts what an agent has no way to hear into what it has: a refusal, or the end of the run where a refusal stops nothing,
 * unless `degrade` says otherwise. Where it hears neither, and for what hinders nobody, it is a message to the user.
 */
export function degraded(decision: Decision, hearing: Hearing): Degraded {
  const { hears } = hearing;
  const wanted = effectsOf(decision);
  const effects = wanted.filter((effect) => hears.has(effect));
  const stop = stopOf(hearing);
  const losses = wanted
    .filter((effect) => !hears.has(effect))
    .map((effect): Loss => {
      const stops = stop !== undefined && mustStop(effect, hearing);
      if (stops) return { effect, became: "deny", message: `${sentence(effect, hearing)} ${STOPPED[stop]}` };
      const instead = GOES_ON[effect] ?? "It goes on without.";
      const message = [...whyOf(effect, decision), `${sentence(effect, hearing)} ${instead}`].join("\n");
      return { effect, became: "observe", message };
    });
  const refused = losses.filter(({ became }) => became === "deny");
  if (refused.length === 0) return { decision, effects, losses };
  const reason = [decision.reason ?? [], refused.map(({ message }) => message)].flat().join("\n");
  const ends = stop === "abort" ? { abort: { reason } } : {};
  const told = new Set<Effect>(["deny", ...effects.filter((effect) => !OF_THE_CALL.has(effect))]);
  if (stop === "abort") told.add("abort");
  return {
    decision: { ...decision, action: "deny", reason, ...ends },
    effects: [...told].filter((effect) => hears.has(effect)),
    losses,
  };
}

const STOPPED: Readonly<Record<Stop, string>> = {
  deny: "It is refused instead.",
  abort: "The run ends instead.",
};

/** What becomes of a decision that nothing can be put in the place of. */
const GOES_ON: Readonly<Partial<Record<Effect, string>>> = {
  deny: "It goes on all the same: nothing can stop it there.",
  abort: "The run goes on.",
};

/** What is said of a call that goes on; a refused one has none of it. */
const OF_THE_CALL: ReadonlySet<Effect> = new Set(["allow", "ask", "deny", "rewrite"]);

/** The way something can be stopped there. A refusal of what has happened already stops nothing. */
function stopOf({ gate, hears }: Hearing): Stop | undefined {
  if (gate && hears.has("deny")) return "deny";
  return hears.has("abort") ? "abort" : undefined;
}

/** True when it must not go on as if this had not been decided. */
function mustStop(effect: Effect, { gate, degrade }: Hearing): boolean {
  switch (effect) {
    case "deny":
    case "abort":
      return gate;
    case "ask":
      return gate && degrade.ask !== "observe";
    case "rewrite":
      // Also of what has happened: the old text, which may be secret, would reach the model.
      return degrade.rewrite !== "observe";
    default:
      return false;
  }
}

/** Why hooks wanted it: a refusal that is not heard takes its reason with it. */
function whyOf(effect: Effect, { reason, abort }: Decision): readonly string[] {
  const why = effect === "deny" ? reason : effect === "abort" ? abort?.reason : undefined;
  return why === undefined ? [] : [why];
}

function sentence(effect: Effect, { agent, event, because }: Hearing): string {
  return because?.[effect] ?? `${agent} has no way to hear ${effect.replaceAll("_", " ")} on ${event}.`;
}
