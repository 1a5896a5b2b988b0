import { withoutUndefined } from "../../core/base/json.ts";
import { readQuestion } from "../../core/contracts/questions.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import { agentName } from "../agent-name.ts";
import { outcomeOf } from "../decisions/outcome.ts";
import { isCarriedOut } from "../report/actions.ts";
import { SOURCES } from "../report/sources.ts";
import type { QuestionView } from "./wire.ts";

/** A decision as the page shows it. */
export function questionView(
  decision: HumanRequest,
  names: ReadonlyMap<string, string>,
  now = new Date().toISOString(),
): QuestionView {
  const { id, agent_id, session_id, cwd, source, context, options, questions = [], state } = decision;
  const { created_at, waits_until, resolved } = decision;
  const { title, text } = SOURCES[source];
  const text_means = options.some(({ label }) => label === text) ? text : undefined;
  return {
    id,
    agent: names.get(agent_id) ?? agentName(decision),
    agent_id,
    source,
    title,
    context,
    options,
    parts: questions.map((asked) => {
      const { question = "", header, options: own, several } = readQuestion(asked);
      return { question, options: own, several, ...withoutUndefined({ header }) };
    }),
    takes_text: options.length === 0 || text_means !== undefined,
    created_at,
    state,
    ...withoutUndefined({ session_id, cwd, text_means, waits_until }),
    ...(state === "open" ? withoutUndefined({ elsewhere: elsewhereOf(decision, now) }) : {}),
    ...(state === "open" ? {} : { outcome: outcomeOf(decision) }),
    ...withoutUndefined({ ended_at: resolved?.at, delivered: resolved?.delivered }),
  };
}

/** Why an answer would reach nobody. */
function elsewhereOf(decision: HumanRequest, now: string): string | undefined {
  const { prompt, waits_until = "" } = decision;
  if (isCarriedOut(decision) || (prompt !== undefined && waits_until > now)) return undefined;
  return prompt === undefined
    ? "No hook waits for this answer. Answer it in the agent's own terminal."
    : "Its hook has stopped waiting. Answer it in the agent's own terminal.";
}
