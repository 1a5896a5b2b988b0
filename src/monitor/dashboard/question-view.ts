import { hostname } from "node:os";
import { withoutUndefined } from "../../core/base/json.ts";
import { readQuestion } from "../../core/contracts/questions.ts";
import type { AgentStatus, HumanRequest } from "../../shared/monitor/monitor.ts";
import { agentName } from "../agent-name.ts";
import { elsewhereOf } from "../decisions/elsewhere.ts";
import { outcomeOf } from "../decisions/receipt.ts";
import { labelFor, SOURCES } from "../report/sources.ts";
import type { QuestionView } from "./wire.ts";

export function questionView(
  decision: HumanRequest,
  names: ReadonlyMap<string, string>,
  agents: readonly AgentStatus[],
): QuestionView {
  const { id, agent_id, session_id, cwd, source, context, options, questions = [], state } = decision;
  const { created_at, waits_until, resolved, call_digest, tool_input } = decision;
  const { title, text } = SOURCES[source];
  const agent = agents.find((one) => one.agent_id === agent_id);
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
      return { question, options: own, several, header };
    }),
    takes_text: options.length === 0 || text_means !== undefined,
    created_at,
    state,
    session_id,
    cwd,
    text_means,
    needs_text: labelFor(source, "revise"),
    waits_until,
    call_digest,
    tool_input,
    ...(state === "open"
      ? withoutUndefined({ elsewhere: elsewhereOf(decision, agent), ...runOf(agent) })
      : {}),
    ...(state === "open" ? {} : { outcome: outcomeOf(decision) }),
    ended_at: resolved?.at,
    fate: resolved?.fate,
  };
}

/** What is to be known about a run of the fleet that waits for an answer: its name says nothing. */
function runOf(agent: AgentStatus | undefined): Pick<QuestionView, "task" | "parked_on"> {
  if (agent?.fleet !== true) return {};
  const { task, suspended, machine = hostname() } = agent;
  return { task, ...(suspended === true ? { parked_on: machine } : {}) };
}
