import { characterCount, firstCharacters } from "../../core/base/text.ts";
import type { ToolResult } from "../../core/contracts/tool.ts";

/** More than any model can read of one result; the built-in tools stay far below it. */
const MOST_CHARACTERS = 1_000_000;

const NOTE_CHARACTERS = 100;

/** Users write tools: only text may get into the conversation. */
export function isResult(answer: unknown): answer is ToolResult {
  return (
    typeof answer === "object" && answer !== null && "content" in answer && typeof answer.content === "string"
  );
}

/** The result of a call whose tool returned something else than a result. */
export function noResult(tool_name: string): ToolResult {
  const content = `${tool_name} returned no valid result: a result needs content, which must be a string.`;
  return { content, is_error: true };
}

/** Cuts a result that is too long for any model. */
export function boundedResult(result: ToolResult): ToolResult {
  const { content } = result;
  if (content.length <= MOST_CHARACTERS) return result;
  const start = firstCharacters(content, MOST_CHARACTERS - NOTE_CHARACTERS);
  const missing = characterCount(content) - characterCount(start);
  return { ...result, content: `${start}\n[… ${missing} more characters left out …]` };
}

/** The result as hooks see it. A getter of a user's tool may throw. */
export function responseOf(result: ToolResult): unknown {
  try {
    return result.data ?? result.content;
  } catch {
    return result.content;
  }
}
