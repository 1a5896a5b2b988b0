import { isRecord } from "../../core/base/json.ts";
import type { EventDeclaration } from "../../core/events/known-events.ts";
import { endOfFile } from "../../node/files/end-of-file.ts";
import type { Adapter } from "../adapter.ts";
import { decodeClaude, ownName } from "./decode.ts";
import { encodeClaude, refuseClaude, takesClaudeContext } from "./encode.ts";
import { CLAUDE_EVENTS } from "./events.ts";

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
  projectVariable: "CLAUDE_PROJECT_DIR",
  lastText: ({ transcript_path }) => lastAssistantText(transcript_path),
  get declarations() {
    return declarations();
  },
  decode: decodeClaude,
  encode: encodeClaude,
  takesContext: takesClaudeContext,
  refuse: refuseClaude,
};

const MOST_BYTES = 1_000_000;

/** The last text the model wrote, from Claude Code's transcript; `undefined` when it can't be found. Never throws. */
function lastAssistantText(path: unknown): string | undefined {
  if (typeof path !== "string") return undefined;
  for (const line of endOfFile(path, MOST_BYTES).split("\n").toReversed()) {
    const text = textOf(line);
    if (text !== undefined) return text;
  }
  return undefined;
}

function textOf(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    if (!isRecord(entry) || entry.type !== "assistant" || !isRecord(entry.message)) return undefined;
    const { content } = entry.message;
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    const texts = blocks.flatMap((block) =>
      isRecord(block) && block.type === "text" && typeof block.text === "string" ? [block.text] : [],
    );
    return texts.length === 0 ? undefined : texts.join("\n");
  } catch {
    return undefined;
  }
}
