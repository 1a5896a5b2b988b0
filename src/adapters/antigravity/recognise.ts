import type { Recognition } from "../recognition.ts";

/** Its payloads name no event, and its documentation no variable. */
export const recogniseAntigravity: Recognition = {
  name: "antigravity",
  recognises: ({ conversationId, workspacePaths }) =>
    typeof conversationId === "string" && Array.isArray(workspacePaths) ? "by payload" : "no",
};
