import type { Recognition } from "../recognition.ts";

/** It also sets GEMINI_PROJECT_DIR and CLAUDE_PROJECT_DIR. */
export const recogniseQwen: Recognition = {
  name: "qwen",
  recognises: ({ hook_event_name, transcript_path }, { QWEN_CODE_SESSION_ID }) => {
    const isIts = typeof transcript_path === "string" && transcript_path.includes("/.qwen/");
    if (isIts && typeof hook_event_name === "string") return "by payload";
    return QWEN_CODE_SESSION_ID === undefined ? "no" : "by environment";
  },
};
