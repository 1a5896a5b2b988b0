import type { Recognition } from "../recognition.ts";

/** Cursor's payloads have the same fields; its events begin with a small letter, and its payloads name its version. */
export const recogniseAuggie: Recognition = {
  name: "auggie",
  recognises: (
    { hook_event_name, conversation_id, workspace_roots, cursor_version },
    { AUGMENT_HOOK_EVENT },
  ) => {
    const isNamed = typeof hook_event_name === "string" && /^[A-Z]/.test(hook_event_name);
    const isPlaced = typeof conversation_id === "string" && Array.isArray(workspace_roots);
    if (isNamed && isPlaced && cursor_version === undefined) return "by payload";
    return AUGMENT_HOOK_EVENT === undefined ? "no" : "by environment";
  },
};
