import { readQuestion } from "../../../../core/contracts/questions.ts";
import { agentName, agentNames } from "../../../../monitor/agent-name.ts";
import { isAnsweredHere } from "../../../../monitor/decisions/elsewhere.ts";
import { shownId } from "../../../../monitor/decisions/find.ts";
import { isReached } from "../../../../monitor/report/sources.ts";
import { hasFailed } from "../../../../shared/monitor/agent-groups.ts";
import type { AgentStatus, HumanRequest } from "../../../../shared/monitor/monitor.ts";
import { harmlessLine } from "../../../command-line/screen/text.ts";

type Step = readonly [command: string, does: string];

/** What a person wants to do next: answer who waits longest, and have the first that failed go on. */
export function nextSteps(agents: readonly AgentStatus[], open: readonly HumanRequest[]): readonly Step[] {
  const asking = new Set(open.map(({ agent_id }) => agent_id));
  const failed = agents.find(
    (agent) => !asking.has(agent.agent_id) && (hasFailed(agent) || agent.state === "gone"),
  );
  return [...answerSteps(open), ...(failed === undefined ? [] : [goOnStep(failed, agents)])];
}

function answerSteps(open: readonly HumanRequest[]): readonly Step[] {
  const oldest = open.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
  const first = oldest.find(isAnsweredHere) ?? oldest[0];
  if (first === undefined) return [];
  const who = harmlessLine(agentName(first));
  const id = shownId(first.id, open);
  const step: Step = isAnsweredHere(first)
    ? [`tenterhook answer ${id} ${firstChoice(first)}`, `answers ${who}`]
    : [`tenterhook inbox ${id}`, `shows what ${who} asks, and where to answer`];
  return open.length === 1 ? [step] : [step, ["tenterhook inbox", `lists the ${open.length} questions`]];
}

/** What stands for an answer: the first option, or a number for each question. */
export function firstChoice({ options, questions = [] }: HumanRequest): string {
  const [first] = options;
  if (first !== undefined) return first.label;
  const hasOptions = questions.length > 0 && questions.every((one) => readQuestion(one).options.length > 0);
  return hasOptions ? questions.map(() => "1").join(" ") : '"…"';
}

function goOnStep(agent: AgentStatus, agents: readonly AgentStatus[]): Step {
  const { agent_id, machine, state } = agent;
  const word = asWord(agentNames(agents).get(agent_id) ?? agent_id, agent_id);
  const who = harmlessLine(agentName(agent));
  return machine === undefined && isReached(agent)
    ? [`tenterhook agents send ${word} "Go on."`, `has ${who} go on`]
    : [`tenterhook agents show ${word}`, `says why ${who} ${state === "gone" ? "is gone" : "failed"}`];
}

/** A name as a word of a shell line, which people may copy; an id where a shell would read more in it. */
function asWord(name: string, id: string): string {
  if (/^[\w@.-]+$/.test(name)) return name;
  return /^[\w@. ()-]+$/.test(name) ? `"${name}"` : id;
}
