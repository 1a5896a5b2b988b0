import { type Fields, field, type Schema, schemas } from "../../core/base/schemas.ts";
import { duration } from "./schemas.ts";

function source<Default extends Schema>(answer: Default, docs: string) {
  return field(
    schemas.object({
      timeout: field(
        duration,
        "How long a human has. Where a hook holds the agent, it applies instead of on_prompt.wait.",
      ),
      default: field(answer, "The answer when nobody gives one. Without it, nothing is answered."),
    }),
    docs,
  );
}

/** The keys of `monitor.decisions`: what happens when nobody answers. */
export const DECISION_SETTINGS = {
  question: source(schemas.text, "An agent asks a question."),
  plan: source(schemas.word("accept", "cancel"), "An agent has a plan to approve."),
  permission: source(schemas.word("allow", "deny"), "An agent needs a permission."),
  check: source(schemas.word("retry", "skip", "cancel"), "A command of on_stop failed."),
  error: source(schemas.word("retry", "skip", "cancel"), "An agent hit an error."),
  dead: source(schemas.word("resume", "cancel"), "An agent's process is gone."),
  idle: source(schemas.word("continue", "done", "cancel"), "An agent does nothing."),
} as const satisfies Fields;

/** What an agent needs a human for. */
export type AgentSource = keyof typeof DECISION_SETTINGS;

/** What made a human's decision necessary. `session`: a terminal that an agent may have opened acts in the user's name. */
export type DecisionSource = AgentSource | "session";
