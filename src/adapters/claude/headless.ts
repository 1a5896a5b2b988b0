import { isRecord } from "../../core/base/json.ts";
import { fieldsOf } from "../codec/read-usage.ts";
import { partsOf, textIn, textOfParts } from "../codec/recorded-session.ts";
import type { Headless, Said } from "../headless.ts";
import { tokensIn } from "./transcript.ts";

/** What Claude Code prints with `--output-format stream-json`. */
export const claudeHeadless: Headless = {
  args: ["--output-format", "stream-json", "--verbose"],
  model: "--model",
  unknownSession: /No conversation found/i,
  read({ type, subtype, message, ...line }) {
    // What its subagents say is theirs.
    if (typeof line.parent_tool_use_id === "string") return [];
    const { content } = fieldsOf(message);
    switch (type) {
      case "system": {
        const session_id = subtype === "init" ? textIn(line.session_id) : undefined;
        return session_id === undefined ? [] : [{ type: "session", session_id }];
      }
      case "assistant":
        return partsOf(content).flatMap(answerPart);
      case "user":
        return partsOf(content).flatMap(resultPart);
      case "result":
        return [{ type: "end", ...endOf({ subtype, ...line }) }];
      default:
        return [];
    }
  },
};

function answerPart({ type, text, id, name, input }: Readonly<Record<string, unknown>>): readonly Said[] {
  if (type === "text" && typeof text === "string") return [{ type: "text", text }];
  if (type !== "tool_use" || typeof id !== "string") return [];
  return [
    {
      type: "call",
      tool_use_id: id,
      tool_name: String(name),
      tool_input: isRecord(input) ? input : {},
    },
  ];
}

function resultPart({
  type,
  tool_use_id,
  content,
  is_error,
}: Readonly<Record<string, unknown>>): readonly Said[] {
  if (type !== "tool_result" || typeof tool_use_id !== "string") return [];
  return [{ type: "result", tool_use_id, content: textOfParts(content), is_error: is_error === true }];
}

function endOf({
  subtype,
  is_error,
  result,
  errors,
  usage,
  total_cost_usd,
}: Readonly<Record<string, unknown>>) {
  const { input_tokens, output_tokens } = tokensIn(usage);
  const used = {
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    cost_usd: typeof total_cost_usd === "number" ? total_cost_usd : undefined,
  };
  const text = textIn(result);
  if (is_error !== true && subtype === "success") return { text: text ?? "", usage: used };
  const said = Array.isArray(errors) ? errors.map(String).join(" ") : "";
  const error = [text, said].find((one) => one !== undefined && one !== "") ?? String(subtype);
  // A limit of its own: turns, a budget.
  return { error, is_lasting: String(subtype).startsWith("error_max"), usage: used };
}
