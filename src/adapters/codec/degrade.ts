import type { Decision } from "../../core/decide/decision.ts";
import type { Effect } from "../../core/events/effects.ts";
import type { Degrade, Loss } from "../adapter.ts";

/** What an agent supports on one event. */
export interface Hearing {
  readonly agent: string;
  readonly event: string;
  /** Why an effect is not supported here: a sentence, or true for the usual one; false when it is. */
  readonly unfit: (effect: Effect) => string | boolean;
  /** True when a refusal stops something. */
  readonly gate: boolean;
  readonly degrade: Degrade;
}

/** A decision as the agent can carry it out, and what was lost. */
export interface Degraded {
  readonly decision: Decision;
  /** The parts that are passed on to the agent, the verdict first. */
  readonly effects: readonly Effect[];
  readonly losses: readonly Loss[];
}

/** How something is stopped: the call is refused, or the run ends. */
type Stop = "deny" | "abort";

/**
 * Replaces what the agent does not support: by a refusal, or by the end of the run where a refusal stops nothing,
 * unless `degrade` says otherwise. Where neither is possible, and for effects that stop nothing, the user gets a
 * message.
 *
 * @param wanted the effects of the decision, the verdict first.
 */
export function degraded(decision: Decision, wanted: readonly Effect[], hearing: Hearing): Degraded {
  const hears = (effect: Effect) => hearing.unfit(effect) === false;
  const effects = wanted.filter(hears);
  const stop = stopOf(hearing);
  const losses = wanted
    .filter((effect) => !hears(effect))
    .map((effect): Loss => {
      // Where the end of the run is not supported, a result that can be withheld is.
      const instead = stop ?? (effect === "abort" && hears("deny") ? "deny" : undefined);
      if (instead !== undefined && mustStop(effect, hearing))
        return { effect, became: "deny", message: `${sentence(effect, hearing)} ${STOPPED[instead]}` };
      const then = GOES_ON[effect] ?? "It continues without it.";
      const message = [...whyOf(effect, decision), `${sentence(effect, hearing)} ${then}`].join("\n");
      return { effect, became: "observe", message };
    });
  const refused = losses.filter(({ became }) => became === "deny");
  if (refused.length === 0) return { decision, effects, losses };
  const why = decision.reason ?? decision.abort?.reason ?? answerText(decision, refused);
  const isQuestion = refused.some(({ effect }) => effect === "ask");
  const texts = refused.filter(({ effect }) => effect !== "ask").map(({ message }) => message);
  // A question that the model can't answer is no reason: it must read who wants what.
  const reason = isQuestion
    ? [askedText(decision, hearing), ...texts].join(" ")
    : [why ?? [], texts].flat().join("\n");
  const ends = stop === "abort" ? { abort: { reason } } : {};
  const expressed = new Set<Effect>(["deny", ...effects.filter((effect) => !OF_THE_CALL.has(effect))]);
  if (stop === "abort") expressed.add("abort");
  return {
    decision: { ...decision, action: "deny", reason, ...ends },
    effects: [...expressed].filter(hears),
    losses,
  };
}

const STOPPED: Readonly<Record<Stop, string>> = {
  deny: "It is refused instead.",
  abort: "The run ends instead.",
};

/** What happens when nothing can replace a decision. */
const GOES_ON: Readonly<Partial<Record<Effect, string>>> = {
  deny: "It continues anyway: nothing can stop it there.",
  abort: "The run continues.",
};

/** Effects on a call that goes on; a refused call has none of them. */
const OF_THE_CALL: ReadonlySet<Effect> = new Set(["allow", "ask", "deny", "rewrite", "answer", "time_limit"]);

/** How something can be stopped on this event. Refusing what has already happened stops nothing. */
function stopOf({ gate, unfit }: Hearing): Stop | undefined {
  if (gate && unfit("deny") === false) return "deny";
  return unfit("abort") === false ? "abort" : undefined;
}

/** True when the event must not go on without this effect. */
function mustStop(effect: Effect, { gate, unfit, degrade }: Hearing): boolean {
  switch (effect) {
    case "deny":
      return gate;
    case "abort":
      return gate || unfit("deny") === false;
    case "answer":
      // The call must not run: it may be a dry run.
      return gate;
    case "ask":
      return gate && degrade.ask !== "observe";
    case "rewrite":
      // Also after the fact: otherwise the old text, which may be secret, would reach the model.
      return degrade.rewrite !== "observe";
    default:
      return false;
  }
}

/** A result that could not be given in another way: the model can read it as the reason. */
function answerText({ answer }: Decision, refused: readonly Loss[]): string | undefined {
  if (!refused.some(({ effect }) => effect === "answer")) return undefined;
  return `A hook has the result, so the tool does not run: ${typeof answer === "string" ? answer : JSON.stringify(answer)}`;
}

/** What a person has to be asked, and who wants that. */
function askedText({ runs, reason }: Decision, { agent, unfit }: Hearing): string {
  const hooks = runs.flatMap(({ name, outcome }) => (outcome?.action === "ask" ? [name] : []));
  const question = reason === undefined ? "" : ` ${reason}`;
  const who = hooks.length === 0 ? "" : ` [${hooks.join(", ")}]`;
  const why = unfit("ask");
  const refused =
    typeof why === "string" ? `. ${why} It is refused.` : `, and ${agent} can't ask, so it is refused.`;
  return `Needs your OK${refused}${question}${who}`;
}

/** The hooks' reason, which would be lost with the refusal. */
function whyOf(effect: Effect, { reason, abort }: Decision): readonly string[] {
  const why = effect === "deny" ? reason : effect === "abort" ? abort?.reason : undefined;
  return why === undefined ? [] : [why];
}

function sentence(effect: Effect, { agent, event, unfit }: Hearing): string {
  const why = unfit(effect);
  if (typeof why === "string") return why;
  return `${agent} does not support ${effect.replaceAll("_", " ")} on ${event}.`;
}
