import type { Adapter, NativePayload } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { claudeTable } from "./table.ts";
import { lastAssistantText, turnInTranscript } from "./transcript.ts";

/** The adapter of Claude Code. */
export const claude: Adapter = Object.assign(tableCodec(claudeTable), {
  projectVariable: "CLAUDE_PROJECT_DIR",
  sessionVariable: "CLAUDE_CODE_SESSION_ID",
  approvesWithInput: true as const,
  lastText: ({ transcript_path }: NativePayload) => lastAssistantText(transcript_path),
  turn: turnInTranscript,
  usage: async (payload: NativePayload) => (await import("./usage.ts")).claudeUsage(payload),
});
