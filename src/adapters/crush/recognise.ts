import type { Recognition } from "../recognition.ts";

/** The only agent that calls the name of an event `event`. What its hooks start inherits CRUSH_EVENT. */
export const recogniseCrush: Recognition = {
  name: "crush",
  recognises: ({ event, hook_event_name, session_id, cwd }, { CRUSH_EVENT }) => {
    if (hook_event_name !== undefined) return "no";
    const isIts = typeof event === "string" && typeof session_id === "string" && typeof cwd === "string";
    if (isIts) return "by payload";
    return CRUSH_EVENT === undefined ? "no" : "by environment";
  },
};
