import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseRecord } from "../../core/base/json.ts";
import { endOfFile } from "../../node/files/regular-file.ts";
import type { ModelCall, NativePayload, NativeTurn, NativeUsage } from "../adapter.ts";
import { callsSince, countOf, fieldsOf, timeOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";
import {
  type Entry,
  partsOf,
  type RecordedSessions,
  textIn,
  textOfParts,
} from "../codec/recorded-session.ts";
import type { CallOutcome, CallRecord, TurnFormat } from "../codec/turn-sign.ts";

/* What Claude Code writes into its transcript: JSON lines, one for each message or part of a message. */

/** A turn may be long. When its beginning is further away, it is counted from the first entry that was read. */
const MOST_BYTES_OF_TURN = 8_000_000;

/** What the model wrote in an entry. */
export function textOf({ type, message }: Entry): string {
  return type === "assistant" ? textOfParts(fieldsOf(message).content) : "";
}

/** The turn that an event belongs to; `undefined` when there is no transcript. Never throws. */
export function turnInTranscript(payload: NativePayload): NativeTurn | undefined {
  const { transcript_path, agent_transcript_path, prompt_id } = payload;
  const path = agent_transcript_path ?? transcript_path;
  if (typeof path !== "string") return undefined;
  const lines = endOfFile(path, MOST_BYTES_OF_TURN).split("\n");
  const entries = lines.map(parseRecord).filter((entry) => timeOf(entry) !== undefined);
  const turn = entries.slice(Math.max(0, startOf(entries, prompt_id)));
  const [first] = turn;
  const started_at = first && timeOf(first);
  if (started_at === undefined) return undefined;
  const tool_calls = turn.flatMap((entry) =>
    partsOf(fieldsOf(entry.message).content).flatMap(({ type }) =>
      type === "tool_use" ? [timeOf(entry) ?? started_at] : [],
    ),
  );
  return { started_at, tool_calls, usage: usedIn(turn) };
}

/** Where the turn begins: with the first message of its prompt, else with the last prompt that no hook and no tool wrote. */
function startOf(entries: readonly Entry[], promptId: unknown): number {
  const byId = entries.findIndex(
    ({ type, promptId: id }) => type === "user" && id !== undefined && id === promptId,
  );
  if (byId >= 0) return byId;
  return entries.findLastIndex((entry) => FORMAT.begins(entry) && entry.toolUseResult === undefined);
}

/** A message that is written in several parts has its usage in each of them: the last one counts. */
function usedIn(entries: readonly Entry[]): NativeTurn["usage"] {
  const calls = entries.flatMap((entry) => FORMAT.call(entry) ?? []);
  const byMessage = [...new Map(calls.map((call) => [call.id, call])).values()];
  const sum = (key: "input_tokens" | "output_tokens" | "cached_tokens"): number =>
    byMessage.reduce((total, call) => total + countOf(call[key]), 0);
  const [input_tokens, output_tokens] = [sum("input_tokens"), sum("output_tokens")];
  return {
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    cached_tokens: sum("cached_tokens"),
  };
}

/** What the model calls of this turn used, as Claude Code's transcript says. Never throws. */
export function claudeUsage({
  transcript_path,
  agent_transcript_path,
}: NativePayload): NativeUsage | undefined {
  const own = usageIn(agent_transcript_path ?? transcript_path, FORMAT);
  if (own === undefined || agent_transcript_path !== undefined) return own;
  const besides = callsBelow(String(transcript_path), own.since ?? 0);
  return besides.length === 0 ? own : { ...own, besides };
}

const MOST_FILES = 100;

/** The calls of subagents, and those for summaries, which Claude Code records in files of their own next to the session. */
function callsBelow(transcript: string, since: number): readonly ModelCall[] {
  try {
    const folder = join(transcript.replace(/\.jsonl$/, ""), "subagents");
    const files = readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).mtimeMs > since);
    return files.slice(0, MOST_FILES).flatMap((file) => callsSince(file, FORMAT, since));
  } catch {
    return [];
  }
}

const USUAL_WINDOW = 200_000;
const LONG_WINDOW = 1_000_000;

const FORMAT: UsageFormat = {
  marks: ['"type":"assistant"', '"type":"user"'],
  skipped: '"toolUseResult":',
  call: ({ type, message }) => {
    const { id, model, usage } = fieldsOf(message);
    if (type !== "assistant" || typeof usage !== "object" || usage === null) return undefined;
    const tokens = tokensIn(usage);
    // An error message that Claude Code wrote in the place of an answer.
    if (tokens.input_tokens + tokens.output_tokens === 0) return undefined;
    return {
      id,
      model: `anthropic/${String(model)}`,
      // More than the usual window takes: then it is the long one, which the transcript does not name.
      ...(tokens.input_tokens > USUAL_WINDOW ? { context_window: LONG_WINDOW, window_inferred: true } : {}),
      ...tokens,
    };
  },
  begins: ({ type, isMeta }) => type === "user" && isMeta !== true,
};

/** All input, that from the cache and that written to it included. */
export function tokensIn(usage: unknown) {
  const fields = fieldsOf(usage);
  const cached_tokens = countOf(fields.cache_read_input_tokens);
  const cache_write_tokens = countOf(fields.cache_creation_input_tokens);
  const input_tokens = countOf(fields.input_tokens) + cached_tokens + cache_write_tokens;
  return { input_tokens, output_tokens: countOf(fields.output_tokens), cached_tokens, cache_write_tokens };
}

/** What Claude Code writes after Esc, as a message of the user: `[Request interrupted by user for tool use]`. */
const INTERRUPTED = "[Request interrupted by user";

/** Claude Code fires no hook at Esc. A turn that ends by itself, or with an error, its hooks report. */
export const claudeTurns: TurnFormat = {
  marks: ['"type":"user"', '"type":"assistant"'],
  sign: ({ type, message, isSidechain, isMeta, isApiErrorMessage, error }) => {
    if ((type !== "user" && type !== "assistant") || isSidechain === true || isMeta === true)
      return undefined;
    const text = textOfParts(fieldsOf(message).content);
    if (type === "user" && text.startsWith(INTERRUPTED)) return { turn: "interrupted" };
    if (isApiErrorMessage !== true) return { turn: "works" };
    const name = textIn(error);
    return { turn: "failed", error: { message: text, type: name } };
  },
  calls: ({ message }) =>
    partsOf(fieldsOf(message).content).flatMap<CallRecord>((part) => {
      const { type, id, name, input, tool_use_id } = part;
      if (type === "tool_result") return [{ result: tool_use_id, outcome: outcomeOf(part) }];
      return type === "tool_use" ? [{ call: id, tool_name: name, tool_input: input }] : [];
    }),
};

/** How Claude Code begins the result of a call that its user has refused. */
const REFUSED = "The user doesn't want to";

function outcomeOf({ is_error, content }: Readonly<Record<string, unknown>>): CallOutcome {
  if (is_error !== true) return "ran";
  return textOfParts(content).startsWith(REFUSED) ? "refused" : "failed";
}

/** What Claude Code writes into `projects/FOLDER/SESSION.jsonl`, and below that for its subagents. */
export const claudeSessions: RecordedSessions = {
  folders: ({ home, environment }) => [
    join(textIn(environment.CLAUDE_CONFIG_DIR) ?? join(home, ".claude"), "projects"),
  ],
  file: /\.jsonl$/,
  marks: ['"type":"assistant"', '"type":"user"'],
  isIts: ({ sessionId, parentUuid, message }) =>
    typeof sessionId === "string" && parentUuid !== undefined && fieldsOf(message).content !== undefined,
  read: (entry = {}, session) => {
    const { type, message, timestamp: at, isMeta, toolUseResult, isCompactSummary } = entry;
    session.session_id = textIn(entry.sessionId) ?? session.session_id;
    session.cwd = textIn(entry.cwd) ?? session.cwd;
    session.agent_id = entry.isSidechain === true ? textIn(entry.agentId) : undefined;
    const { content, stop_reason } = fieldsOf(message);
    if (type === "user") {
      const isPrompt = isMeta !== true && toolUseResult === undefined && isCompactSummary !== true;
      const prompt = isPrompt && session.agent_id === undefined ? textOfParts(content) : "";
      return prompt === "" ? [] : [{ prompt, at }];
    }
    if (type !== "assistant") return [];
    const calls = partsOf(content).flatMap(({ type: kind, name, input, id }) =>
      kind === "tool_use" ? [{ tool_name: name, tool_input: input, tool_use_id: id, at }] : [],
    );
    const answer = stop_reason === "end_turn" && session.agent_id === undefined ? textOfParts(content) : "";
    return answer === "" ? calls : [...calls, { answer, at }];
  },
};
