import { join } from "node:path";
import type { NativePayload, NativeUsage } from "../adapter.ts";
import { countOf, fieldsOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";
import {
  type Entry,
  parsedText,
  type RecordedSessions,
  type Told,
  textIn,
  textOfParts,
} from "../codec/recorded-session.ts";
import type { TurnError, TurnFormat } from "../codec/turn-sign.ts";

/** Never throws. */
export function codexUsage({ transcript_path, model }: NativePayload): NativeUsage | undefined {
  return usageIn(transcript_path, formatFor(model));
}

/** The payload names the model; the counts in the transcript do not. */
function formatFor(model: unknown): UsageFormat {
  return {
    marks: ['"token_count"', '"task_started"', '"turn_context"'],
    call: ({ payload }) => {
      const { type, info } = fieldsOf(payload);
      const { total_token_usage, last_token_usage, model_context_window } = fieldsOf(info);
      if (type !== "token_count" || last_token_usage === undefined) return undefined;
      const { input_tokens, cached_input_tokens, output_tokens } = fieldsOf(last_token_usage);
      return {
        // It is written again when nothing but the rate limits has changed.
        id: fieldsOf(total_token_usage).total_tokens,
        ...(typeof model === "string" ? { model: `openai/${model}` } : {}),
        input_tokens: countOf(input_tokens),
        output_tokens: countOf(output_tokens),
        cached_tokens: countOf(cached_input_tokens),
        ...(countOf(model_context_window) > 0 ? { context_window: countOf(model_context_window) } : {}),
      };
    },
    begins: ({ type, payload }) => type === "turn_context" || fieldsOf(payload).type === "task_started",
  };
}

/** Codex writes the end of a turn into its transcript, with the error that ended it; no hook reports an error. */
export const codexTurns: TurnFormat = {
  marks: ['"task_started"', '"task_complete"', '"turn_aborted"'],
  sign: ({ type, payload }) => {
    if (type !== "event_msg") return undefined;
    const { type: kind, error } = fieldsOf(payload);
    if (kind === "task_started") return { turn: "works" };
    if (kind === "turn_aborted") return { turn: "interrupted" };
    if (kind !== "task_complete") return undefined;
    return typeof error === "object" && error !== null
      ? { turn: "failed", error: errorIn(error) }
      : { turn: "ended" };
  },
};

/** `codex_error_info` is a name, or an object whose only key is the name, with the status of the reply. */
function errorIn(error: object): TurnError {
  const { message, codex_error_info: info } = fieldsOf(error);
  const [name, about] = typeof info === "string" ? [info] : (Object.entries(fieldsOf(info))[0] ?? []);
  const { http_status_code: status } = fieldsOf(about);
  const text = textIn(message);
  return {
    message: text,
    // A reply that came says more than Codex's name for it: a 402 is a failed connection there.
    ...(typeof status === "number" ? { status } : { type: name }),
  };
}

/** What Codex writes into `sessions/YEAR/MONTH/DAY/rollout-….jsonl`. */
export const codexSessions: RecordedSessions = {
  folders: ({ home, environment }) => {
    const folder = textIn(environment.CODEX_HOME) ?? join(home, ".codex");
    return [join(folder, "sessions"), join(folder, "archived_sessions")];
  },
  file: /rollout-[^/\\]*\.jsonl$/,
  marks: ["session_meta", "turn_context", "_call", "user_message", "UserMessage", "task_complete"],
  isIts: ({ type, payload, timestamp }) =>
    /^(?:session_meta|event_msg|response_item|turn_context)$/.test(String(type)) &&
    typeof payload === "object" &&
    timestamp !== undefined,
  read: ({ type, payload, timestamp: at } = {}, session) => {
    const fields = fieldsOf(payload);
    if (type === "session_meta" || type === "turn_context") session.cwd = textIn(fields.cwd) ?? session.cwd;
    if (type === "session_meta") {
      session.session_id = textIn(fields.session_id) ?? textIn(fields.id);
      session.agent_id = fields.id === session.session_id ? undefined : textIn(fields.id);
    }
    if (type === "response_item") return callOf(fields).map((call) => ({ ...call, at }));
    // The prompt of a subagent is its task, which no hook on prompts is asked about.
    if (type !== "event_msg" || session.agent_id !== undefined) return [];
    const { type: kind, item, message, last_agent_message } = fields;
    const { type: of, content } = fieldsOf(item);
    const prompt =
      kind === "user_message" ? message : of === "UserMessage" ? textOfParts(content) : undefined;
    if (typeof prompt === "string" && prompt !== "") return [{ prompt, at }];
    const answer = kind === "task_complete" ? textIn(last_agent_message) : undefined;
    return answer === undefined ? [] : [{ answer, at }];
  },
};

/** The tools whose calls Codex shows to no hook. */
const UNSEEN: ReadonlySet<unknown> = new Set(["write_stdin", "wait"]);

/** A call as Codex's hooks see it: a line of the shell is `Bash`, a patch the `command` of `apply_patch`. */
function callOf({ type, name, namespace, call_id: tool_use_id, ...given }: Entry): readonly Told[] {
  if (type === "local_shell_call") {
    const { command } = fieldsOf(given.action);
    return [{ tool_name: "Bash", tool_input: { command: shellLine(command) }, tool_use_id }];
  }
  if (type === "custom_tool_call" && name === "apply_patch")
    return [{ tool_name: name, tool_input: { command: given.input }, tool_use_id }];
  if ((type !== "function_call" && type !== "custom_tool_call") || UNSEEN.has(name)) return [];
  const input = parsedText(given.arguments ?? given.input);
  const { cmd, command, input: patch } = fieldsOf(input);
  if (name === "exec_command" || name === "shell" || name === "shell_command")
    return [{ tool_name: "Bash", tool_input: { command: shellLine(cmd ?? command) }, tool_use_id }];
  if (name === "apply_patch")
    return [{ tool_name: name, tool_input: { command: patch ?? command }, tool_use_id }];
  const isServer = typeof namespace === "string" && namespace.startsWith("mcp__");
  return [{ tool_name: isServer ? `${namespace}__${String(name)}` : name, tool_input: input, tool_use_id }];
}

/** A command in words is what `bash -lc` was given, or the words themselves. */
function shellLine(command: unknown): unknown {
  if (!Array.isArray(command)) return command;
  const [, option, line] = command;
  return command.length === 3 && /^-l?c$/.test(String(option)) ? line : command.join(" ");
}
