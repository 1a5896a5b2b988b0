import { countOf, fieldsOf } from "../codec/read-usage.ts";
import { textIn } from "../codec/recorded-session.ts";
import type { Headless, Said } from "../headless.ts";

/** What `codex exec --json` prints. */
export const codexHeadless: Headless = {
  args: ["--json"],
  model: "--model",
  unknownSession:
    /no rollout found|no (?:recorded )?(?:session|thread)|(?:session|thread|conversation)[^.]* not found/i,
  read({ type, ...line }) {
    switch (type) {
      case "thread.started": {
        const session_id = textIn(line.thread_id);
        return session_id === undefined ? [] : [{ type: "session", session_id }];
      }
      case "item.started":
        return callOf(fieldsOf(line.item));
      case "item.completed":
        return resultOf(fieldsOf(line.item));
      case "turn.completed":
        return [{ type: "end", usage: usageOf(fieldsOf(line.usage)) }];
      case "turn.failed":
        return [{ type: "end", error: textIn(fieldsOf(line.error).message) ?? "The turn failed." }];
      default:
        return [];
    }
  },
};

type Item = Readonly<Record<string, unknown>>;

/** Its work besides what it says: each kind with the fields that tell what is done. */
function callOf({ id, type, command, ...item }: Item): readonly Said[] {
  if (typeof id !== "string" || SPOKEN.has(type)) return [];
  if (type === "command_execution")
    return [{ type: "call", tool_use_id: id, tool_name: "Bash", tool_input: { command } }];
  return [{ type: "call", tool_use_id: id, tool_name: String(type), tool_input: item }];
}

const SPOKEN: ReadonlySet<unknown> = new Set(["agent_message", "reasoning", "error", "todo_list"]);

function resultOf({ id, type, text, message, ...item }: Item): readonly Said[] {
  if (type === "agent_message") return typeof text === "string" ? [{ type: "text", text }] : [];
  if (typeof id !== "string" || SPOKEN.has(type)) return [];
  const output = textIn(item.aggregated_output) ?? textIn(message) ?? textIn(item.status) ?? "";
  return [{ type: "result", tool_use_id: id, content: output, is_error: item.status === "failed" }];
}

function usageOf({ input_tokens, output_tokens }: Item) {
  const [input, output] = [countOf(input_tokens), countOf(output_tokens)];
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}
