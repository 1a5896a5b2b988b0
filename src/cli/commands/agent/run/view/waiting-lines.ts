import type { WaitingFor } from "../../../../../agent.ts";
import { harmless } from "../../../../command-line/screen/text.ts";

/** What a suspended agent waits for, and how it is told. */
export function waitingLines(agent_id: string, waiting_for: WaitingFor): readonly string[] {
  return [...questionLines(waiting_for), answerLine(agent_id, waiting_for)];
}

/** How an agent is told what it waits for. */
export function answerLine(agent_id: string, waiting_for: WaitingFor): string {
  const words = isQuestion(waiting_for) ? `"…"` : `"yes", or "no", or what is to be done instead`;
  return `Answer with: tenterhook resume ${agent_id} ${words}`;
}

function isQuestion(waiting: WaitingFor): boolean {
  return waiting.type === "subagent" ? isQuestion(waiting.waiting_for) : waiting.type === "question";
}

/** What a suspended agent asks. */
export function questionLines(waiting: WaitingFor): readonly string[] {
  switch (waiting.type) {
    case "question":
      return waiting.questions.map(({ question, options = [] }) => {
        const labels = options.map(({ label }) => label).join(", ");
        return harmless(labels === "" ? question : `${question} (${labels})`);
      });
    case "permission":
      return [
        harmless(`May ${waiting.tool_name} run? ${JSON.stringify(waiting.tool_input)}`),
        ...(waiting.reason === undefined ? [] : [harmless(waiting.reason)]),
      ];
    case "plan":
      return [harmless(waiting.plan)];
    case "subagent":
      return questionLines(waiting.waiting_for);
    default:
      return waiting satisfies never;
  }
}
