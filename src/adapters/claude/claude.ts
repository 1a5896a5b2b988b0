import type { Adapter, NativePayload } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { claudeTable } from "./table.ts";
import { lastAssistantText, turnInTranscript } from "./transcript.ts";

export const claude: Adapter = Object.assign(tableCodec(claudeTable), {
  projectVariable: "CLAUDE_PROJECT_DIR",
  sessionVariable: "CLAUDE_CODE_SESSION_ID",
  otherVariables: [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_EFFORT",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PID",
    "CLAUDE_PLUGIN_DATA",
    "CLAUDE_PLUGIN_ROOT",
    "AI_AGENT",
  ],
  approvesWithInput: true as const,
  lastText: ({ transcript_path }: NativePayload) => lastAssistantText(transcript_path),
  turn: turnInTranscript,
  usage: async (payload: NativePayload) => (await import("./usage.ts")).claudeUsage(payload),
});
