import type { Decision } from "tenterhook";

/** A decision with these parts and nothing else. */
export function decisionOf(parts: Partial<Decision>): Decision {
  return { action: "continue", context: [], user_messages: [], hook_inputs: [], runs: [], ...parts };
}
