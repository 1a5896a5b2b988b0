import type { Recognition } from "../recognition.ts";

/** Its transcripts are below `.claude` unless CLAUDE_CONFIG_DIR says otherwise. */
export const recogniseClaude: Recognition = {
  name: "claude",
  recognises: ({ hook_event_name, transcript_path }, { CLAUDECODE, CLAUDE_PROJECT_DIR }) => {
    if (typeof hook_event_name !== "string") return "no";
    if (typeof transcript_path === "string" && transcript_path.includes("/.claude/")) return "by payload";
    return CLAUDECODE !== undefined || CLAUDE_PROJECT_DIR !== undefined ? "by environment" : "no";
  },
};
