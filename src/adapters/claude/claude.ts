import type { EventDeclaration } from "../../core/events/known-events.ts";
import type { Adapter } from "../adapter.ts";
import { decodeClaude, ownName } from "./decode.ts";
import { encodeClaude, refuseClaude } from "./encode.ts";
import { CLAUDE_EVENTS } from "./events.ts";
import { lastAssistantText } from "./transcript.ts";

let declared: Record<`claude:${string}`, EventDeclaration> | undefined;

/** Built on first use: most calls are about none of these events. */
function declarations(): Readonly<Record<`claude:${string}`, EventDeclaration>> {
  if (declared !== undefined) return declared;
  declared = {};
  for (const [name, { declares }] of Object.entries(CLAUDE_EVENTS))
    if (declares !== undefined) declared[ownName(name)] = declares;
  return declared;
}

/** The adapter of Claude Code. */
export const claude: Adapter = {
  name: "claude",
  recognises: ({ hook_event_name, transcript_path }, { CLAUDECODE, CLAUDE_PROJECT_DIR }) =>
    typeof hook_event_name === "string" &&
    (CLAUDECODE !== undefined ||
      CLAUDE_PROJECT_DIR !== undefined ||
      (typeof transcript_path === "string" && transcript_path.includes("/.claude/"))),
  projectVariable: "CLAUDE_PROJECT_DIR",
  lastText: ({ transcript_path }) => lastAssistantText(transcript_path),
  get declarations() {
    return declarations();
  },
  decode: decodeClaude,
  encode: encodeClaude,
  refuse: refuseClaude,
};
