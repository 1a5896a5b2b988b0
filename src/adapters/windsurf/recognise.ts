import type { Recognition } from "../recognition.ts";

/** The only agent that calls the name of an event `agent_action_name`. Its documentation names no variable. */
export const recogniseWindsurf: Recognition = {
  name: "windsurf",
  recognises: ({ agent_action_name }) => (typeof agent_action_name === "string" ? "by payload" : "no"),
};
