import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isRecord } from "../../core/json.ts";

/** More of a transcript is not read. */
const MOST_BYTES = 1_000_000;

/** The last text the model wrote, by Claude Code's transcript; `undefined` when it can't be found. Never throws. */
export function lastAssistantText(path: unknown): string | undefined {
  if (typeof path !== "string") return undefined;
  for (const line of endOf(path).split("\n").toReversed()) {
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

function endOf(path: string): string {
  let open: number | undefined;
  try {
    open = openSync(path, "r");
    const status = fstatSync(open);
    if (!status.isFile()) return "";
    const bytes = Buffer.alloc(Math.min(status.size, MOST_BYTES));
    return bytes.toString("utf8", 0, readSync(open, bytes, 0, bytes.length, status.size - bytes.length));
  } catch {
    return "";
  } finally {
    if (open !== undefined) closeSync(open);
  }
}
