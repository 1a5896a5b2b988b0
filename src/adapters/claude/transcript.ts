import { isRecord, parseRecord } from "../../core/base/json.ts";
import { endOfFile } from "../../node/files/regular-file.ts";
import type { NativePayload, NativeTurn } from "../adapter.ts";
import { countOf, timeOf } from "../codec/read-usage.ts";

/* What we read of Claude Code's own transcript: JSON lines, one for each message or part of a message. */

type Entry = Readonly<Record<string, unknown>>;

const MOST_BYTES = 1_000_000;
/** A turn may be long. When its beginning is further away, it is counted from the first entry that was read. */
const MOST_BYTES_OF_TURN = 8_000_000;

/** The last texts the model wrote, the last one first; none when they can't be found. Never throws. */
export function* lastAssistantTexts(path: unknown): Generator<string> {
  for (const line of endLines(path, MOST_BYTES).toReversed()) {
    const texts = blocksOf(parseRecord(line)).flatMap(({ type, text }) =>
      type === "text" && typeof text === "string" ? [text] : [],
    );
    if (texts.length > 0) yield texts.join("\n");
  }
}

/** The turn that an event belongs to; `undefined` when there is no transcript. Never throws. */
export function turnInTranscript(payload: NativePayload): NativeTurn | undefined {
  const { transcript_path, agent_transcript_path, prompt_id } = payload;
  const lines = endLines(agent_transcript_path ?? transcript_path, MOST_BYTES_OF_TURN);
  const entries = lines.map(parseRecord).filter((entry) => timeOf(entry) !== undefined);
  const turn = entries.slice(Math.max(0, startOf(entries, prompt_id)));
  const [first] = turn;
  const started_at = first && timeOf(first);
  if (started_at === undefined) return undefined;
  const tool_calls = turn.flatMap((entry) =>
    blocksOf(entry).flatMap(({ type }) => (type === "tool_use" ? [timeOf(entry) ?? started_at] : [])),
  );
  return { started_at, tool_calls, usage: usageIn(turn) };
}

/** Where the turn begins: with the first message of its prompt, else with the last prompt that no hook and no tool wrote. */
function startOf(entries: readonly Entry[], promptId: unknown): number {
  const byId = entries.findIndex(
    ({ type, promptId: id }) => type === "user" && id !== undefined && id === promptId,
  );
  if (byId >= 0) return byId;
  return entries.findLastIndex(
    ({ type, isMeta, toolUseResult }) => type === "user" && isMeta !== true && toolUseResult === undefined,
  );
}

/** A message that is written in several parts has its usage in each of them: the last one counts. */
function usageIn(entries: readonly Entry[]): NativeTurn["usage"] {
  const byMessage = new Map<unknown, Entry>();
  for (const { type, message } of entries)
    if (type === "assistant" && isRecord(message) && isRecord(message.usage))
      byMessage.set(message.id, message.usage);
  const sum = (...keys: readonly string[]): number =>
    [...byMessage.values()].reduce(
      (total, usage) => total + keys.reduce((some, key) => some + countOf(usage[key]), 0),
      0,
    );
  const cached_tokens = sum("cache_read_input_tokens");
  const input_tokens = cached_tokens + sum("input_tokens", "cache_creation_input_tokens");
  const output_tokens = sum("output_tokens");
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens, cached_tokens };
}

function blocksOf({ type, message }: Entry): readonly Entry[] {
  if (type !== "assistant" || !isRecord(message) || !Array.isArray(message.content)) return [];
  return message.content.filter(isRecord);
}

function endLines(path: unknown, mostBytes: number): readonly string[] {
  return typeof path === "string" ? endOfFile(path, mostBytes).split("\n") : [];
}
