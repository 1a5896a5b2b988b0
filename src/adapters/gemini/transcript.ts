import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NativePayload, NativeUsage } from "../adapter.ts";
import { countOf, fieldsOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";
import { partsOf, type RecordedSessions, type Told, textIn, textOfParts } from "../codec/recorded-session.ts";
import type { TurnFormat } from "../codec/turn-sign.ts";

/** Never throws. */
export function geminiUsage({ transcript_path }: NativePayload): NativeUsage | undefined {
  return usageIn(transcript_path, FORMAT);
}

const FORMAT: UsageFormat = {
  marks: ['"type":"gemini"', '"type":"user"'],
  call: ({ type, id, model, tokens }) => {
    if (type !== "gemini" || tokens === undefined) return undefined;
    const { input, output, cached, thoughts } = fieldsOf(tokens);
    return {
      id,
      model: `google/${String(model)}`,
      input_tokens: countOf(input),
      output_tokens: countOf(output) + countOf(thoughts),
      cached_tokens: countOf(cached),
    };
  },
  // The results of tools come as messages of the user too.
  begins: ({ type, content }) => type === "user" && !JSON.stringify(content).includes('"functionResponse"'),
};

/** What Gemini CLI tells its user after Esc. The results of what was cancelled follow. */
const CANCELLED = "Request cancelled.";
const CANCELLED_CALL = "Operation cancelled by user";
/** After Esc at a permission, Gemini CLI records the conversation so far again, as one message of the user. */
const RECORDED_AGAIN = "<session_context>";

/** Gemini CLI fires no hook at Esc and none for an error; what it shows its user it also records. */
export const geminiTurns: TurnFormat = {
  marks: ['"type":"user"', '"type":"gemini"', '"type":"info"', '"type":"error"'],
  sign: ({ type, content, toolCalls }) => {
    const text = textOfParts(content);
    if (type === "info") return text === CANCELLED ? { turn: "interrupted" } : undefined;
    if (type === "error") return { turn: "failed", error: { message: text } };
    if ((type !== "user" && type !== "gemini") || text.startsWith(RECORDED_AGAIN)) return undefined;
    const results = [...partsOf(content), ...partsOf(toolCalls)];
    return JSON.stringify(results).includes(CANCELLED_CALL) ? undefined : { turn: "works" };
  },
};

/** The last message of the model, which is written again with the calls that it makes. */
interface LastMessage {
  readonly id: unknown;
  readonly calls: ReadonlySet<unknown>;
  readonly answer?: Told;
}

/** What Gemini CLI writes into `tmp/PROJECT/chats/session-….jsonl`. */
export const geminiSessions: RecordedSessions = {
  folders: ({ home, environment }) => [join(textIn(environment.GEMINI_CLI_HOME) ?? home, ".gemini", "tmp")],
  file: /chats[/\\].*\.jsonl$/,
  marks: ['"sessionId"', '"type":"gemini"', '"type":"user"'],
  isIts: ({ projectHash, type }) => typeof projectHash === "string" || type === "gemini",
  events: { call: "BeforeTool", prompt: "BeforeAgent", answer: "AfterAgent" },
  payload: { answer: "prompt_response" },
  read: (entry, session) => {
    const { type, id, content, timestamp: at, toolCalls, sessionId, kind, directories } = entry ?? {};
    const last = lastOf(session.note);
    if (typeof sessionId === "string") {
      session.session_id = sessionId;
      const [folder]: readonly unknown[] = Array.isArray(directories) ? directories : [];
      session.cwd = textIn(folder) ?? projectOf(session.file);
      session.agent_id = kind === "subagent" ? sessionId : undefined;
    }
    if (type === "gemini") {
      const isSame = last?.id === id;
      const calls = partsOf(toolCalls).filter((call) => !(isSame && last?.calls.has(call.id)));
      const text = textOfParts(content);
      const isAnswer = text !== "" && partsOf(toolCalls).length === 0 && session.agent_id === undefined;
      const known = [...(isSame ? (last?.calls ?? []) : []), ...calls.map((call) => call.id)];
      session.note = { id, calls: new Set(known), ...(isAnswer ? { answer: { answer: text, at } } : {}) };
      const before = isSame || last?.answer === undefined ? [] : [last.answer];
      return [
        ...before,
        ...calls.map((call) => ({ tool_name: call.name, tool_input: call.args, tool_use_id: call.id, at })),
      ];
    }
    if (type !== "user" && entry !== undefined) return [];
    // Only now it is known that the last message made no call.
    session.note = undefined;
    const answer = last?.answer === undefined ? [] : [last.answer];
    // The results of tools come as messages of the user too.
    const isResult = partsOf(content).some((part) => part.functionResponse !== undefined);
    const prompt = isResult || session.agent_id !== undefined ? "" : textOfParts(content);
    return prompt === "" ? answer : [...answer, { prompt, at }];
  },
};

function lastOf(note: unknown): LastMessage | undefined {
  const { id, calls, answer } = fieldsOf(note);
  if (!(calls instanceof Set)) return undefined;
  const { answer: text, at } = fieldsOf(answer);
  return { id, calls, ...(typeof text === "string" ? { answer: { answer: text, at } } : {}) };
}

/** The folder that a file above the session names. */
function projectOf(file: string): string | undefined {
  for (let folder = dirname(file), left = 3; left > 0; folder = dirname(folder), left -= 1) {
    try {
      return textIn(readFileSync(join(folder, ".project_root"), "utf8").trim());
    } catch {
      // It is further up, or this version writes none.
    }
  }
  return undefined;
}
