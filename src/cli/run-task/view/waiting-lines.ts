import type { WaitingFor } from "../../../agent.ts";
import { harmless } from "../../screen/text.ts";

/** What a suspended agent waits for, and how it is told. */
export function waitingLines(agent_id: string, waiting_for: WaitingFor): readonly string[] {
  return [...questionLines(waiting_for), `Answer with: tenterhook resume ${agent_id} "…"`];
}

function questionLines(waiting: WaitingFor): readonly string[] {
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
