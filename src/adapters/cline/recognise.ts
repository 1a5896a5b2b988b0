import type { Recognition } from "../recognition.ts";

/** It sets no variable of its own for hooks. */
export const recogniseCline: Recognition = {
  name: "cline",
  recognises: ({ hookName, taskId, workspaceRoots }) =>
    typeof hookName === "string" && typeof taskId === "string" && Array.isArray(workspaceRoots)
      ? "by payload"
      : "no",
};
