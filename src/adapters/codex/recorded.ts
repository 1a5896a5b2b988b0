import { join } from "node:path";
import { fieldsOf } from "../codec/read-usage.ts";
import {
  type Entry,
  parsedText,
  type RecordedSessions,
  type Told,
  textIn,
  textOfParts,
} from "../codec/recorded-session.ts";

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
