import type { Recognition } from "../recognition.ts";

/** It sets no variable of its own. A session that is not saved has no transcript, but most of its events name a turn. */
export const recogniseCodex: Recognition = {
  name: "codex",
  recognises: ({ hook_event_name, transcript_path, turn_id, model, permission_mode, source }) => {
    if (typeof hook_event_name !== "string") return "no";
    if (typeof transcript_path === "string")
      return /[\\/]rollout-[^\\/]*$/.test(transcript_path) ? "by payload" : "no";
    const isStart = source !== undefined && permission_mode !== undefined;
    return transcript_path === null && model !== undefined && (turn_id !== undefined || isStart)
      ? "by payload"
      : "no";
  },
};
