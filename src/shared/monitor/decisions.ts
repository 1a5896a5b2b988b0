import { type Fields, field, type Kind, kinds } from "../../core/base/kinds.ts";
import { duration } from "./kinds.ts";

function source<Default extends Kind>(answer: Default, docs: string) {
  return field(
    kinds.object({
      timeout: field(
        duration,
        "How long a human has. Where a hook holds the agent, it counts instead of on_prompt.wait.",
      ),
      default: field(answer, "The answer when nobody gives one. Without it, nothing is answered."),
    }),
    docs,
  );
}

/** The keys of `monitor.decisions`: what happens when nobody answers. */
export const DECISION_SETTINGS = {
  question: source(kinds.text, "An agent asks a question."),
  plan: source(kinds.word("accept", "cancel"), "An agent has a plan to approve."),
  permission: source(kinds.word("allow", "deny"), "An agent needs a permission."),
  gate: source(kinds.word("retry", "skip", "cancel"), "A command of on_stop failed."),
  error: source(kinds.word("retry", "skip", "cancel"), "An agent hit an error."),
  dead: source(kinds.word("resume", "cancel"), "An agent's process is gone."),
  idle: source(kinds.word("continue", "done", "cancel"), "An agent does nothing."),
} as const satisfies Fields;
