import type { Recognition } from "../recognition.ts";

/** Its hooks also get the variable CLAUDE_PROJECT_DIR, and payloads that look like Claude Code's. */
export const recogniseCopilot: Recognition = {
  name: "copilot",
  recognises: (
    { sessionId, timestamp, transcript_path, session_id, permission_mode },
    { COPILOT_CLI, COPILOT_PROJECT_DIR },
  ) => {
    if (typeof sessionId === "string" && typeof timestamp === "number") return "by payload";
    if ((COPILOT_CLI ?? COPILOT_PROJECT_DIR) === undefined) return "no";
    // Others whose payloads have a time name a transcript in all of them.
    const isTimed = typeof timestamp === "string" && typeof session_id === "string";
    const isOwn =
      transcript_path === undefined ||
      (typeof transcript_path === "string" && /[/\\]\.copilot[/\\]/.test(transcript_path));
    return isTimed && isOwn && permission_mode === undefined ? "by payload" : "by environment";
  },
};
