import type { Recognition } from "../recognition.ts";

/** Its hooks also get the variable CLAUDE_PROJECT_DIR. */
export const recogniseCursor: Recognition = {
  name: "cursor",
  recognises: (
    { hook_event_name, cursor_version, workspace_roots },
    { CURSOR_VERSION, CURSOR_PROJECT_DIR },
  ) => {
    if (typeof cursor_version === "string" || Array.isArray(workspace_roots)) return "by payload";
    const isNamed = hook_event_name === undefined || typeof hook_event_name === "string";
    return isNamed && (CURSOR_VERSION ?? CURSOR_PROJECT_DIR) !== undefined ? "by environment" : "no";
  },
};
