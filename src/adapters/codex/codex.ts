import { isRecord, parseJson } from "../../core/base/json.ts";
import { endOfFile } from "../../node/files/end-of-file.ts";
import type { Adapter, NativePayload } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { codexTable } from "./table.ts";

export const codex: Adapter = Object.assign(tableCodec(codexTable), {
  otherVariables: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"],
  lastText: ({ transcript_path, last_assistant_message }: NativePayload) =>
    typeof last_assistant_message === "string" ? last_assistant_message : lastAssistantText(transcript_path),
  usage: async (payload: NativePayload) => (await import("./usage.ts")).codexUsage(payload),
});

const MOST_BYTES = 1_000_000;

/** The last text the model wrote, from Codex's transcript; `undefined` when it can't be found. Never throws. */
function lastAssistantText(path: unknown): string | undefined {
  if (typeof path !== "string") return undefined;
  for (const line of endOfFile(path, MOST_BYTES).split("\n").toReversed()) {
    const text = textOf(line);
    if (text !== undefined) return text;
  }
  return undefined;
}

function textOf(line: string): string | undefined {
  const entry = parseJson(line);
  const payload = isRecord(entry) ? entry.payload : undefined;
  if (!isRecord(payload) || payload.type !== "message" || payload.role !== "assistant") return undefined;
  const parts: readonly unknown[] = Array.isArray(payload.content) ? payload.content : [];
  const texts = parts.flatMap((part) => (isRecord(part) && typeof part.text === "string" ? [part.text] : []));
  return texts.length === 0 ? undefined : texts.join("\n");
}
