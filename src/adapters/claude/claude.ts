import { isRecord } from "../../core/base/json.ts";
import { endOfFile } from "../../node/files/end-of-file.ts";
import type { Adapter, NativePayload } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { claudeTable } from "./table.ts";

/** The adapter of Claude Code. */
export const claude: Adapter = Object.assign(tableCodec(claudeTable), {
  projectVariable: "CLAUDE_PROJECT_DIR",
  lastText: ({ transcript_path }: NativePayload) => lastAssistantText(transcript_path),
});

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
