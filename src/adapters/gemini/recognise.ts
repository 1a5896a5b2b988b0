import type { Recognition } from "../recognition.ts";

/** The names that no other agent has for its events. */
const OWN_NAMES: ReadonlySet<unknown> = new Set([
  "BeforeAgent",
  "AfterAgent",
  "BeforeModel",
  "AfterModel",
  "BeforeToolSelection",
  "BeforeTool",
  "AfterTool",
  "PreCompress",
]);

/** Some agents were made from Gemini CLI and set GEMINI_PROJECT_DIR; GEMINI_SESSION_ID is its own. */
export const recogniseGemini: Recognition = {
  name: "gemini",
  recognises: ({ hook_event_name, transcript_path }, { GEMINI_SESSION_ID }) => {
    if (typeof hook_event_name !== "string") return GEMINI_SESSION_ID === undefined ? "no" : "by environment";
    const isIts = typeof transcript_path === "string" && transcript_path.includes("/.gemini/");
    if (isIts || OWN_NAMES.has(hook_event_name)) return "by payload";
    return GEMINI_SESSION_ID === undefined ? "no" : "by environment";
  },
};
