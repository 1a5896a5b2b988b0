import type { EventDeclaration } from "../../core/event-catalogue.ts";
import type { Adapter } from "../adapter.ts";
import { decodeClaude, ownName } from "./decode.ts";
import { encodeClaude, refuseClaude } from "./encode.ts";
import { CLAUDE_EVENTS } from "./events.ts";
import { lastAssistantText } from "./transcript.ts";

const declarations: Record<`claude:${string}`, EventDeclaration> = {};
for (const [name, { declares }] of Object.entries(CLAUDE_EVENTS)) {
  if (declares !== undefined) declarations[ownName(name)] = declares;
}

/** Claude Code. */
export const claude: Adapter = {
  name: "claude",
  recognises: ({ hook_event_name, transcript_path }, { CLAUDECODE, CLAUDE_PROJECT_DIR }) =>
    typeof hook_event_name === "string" &&
    (CLAUDECODE !== undefined ||
      CLAUDE_PROJECT_DIR !== undefined ||
      (typeof transcript_path === "string" && transcript_path.includes("/.claude/"))),
  projectVariable: "CLAUDE_PROJECT_DIR",
  lastText: ({ transcript_path }) => lastAssistantText(transcript_path),
  declarations,
  decode: decodeClaude,
  encode: encodeClaude,
  refuse: refuseClaude,
};
