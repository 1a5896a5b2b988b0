import { characterCount, firstCharacters } from "../../core/base/text.ts";
import type { ToolResult } from "../../core/contracts/tool.ts";

/** More than any model can read of one result; our own tools stay far below it. */
const MOST_CHARACTERS = 1_000_000;

/** Room for the sentence that says what is missing. */
const NOTE_CHARACTERS = 100;

/** Tools are written by anybody: what is no text must not get into the conversation. */
export function isResult(answer: unknown): answer is ToolResult {
  return (
    typeof answer === "object" && answer !== null && "content" in answer && typeof answer.content === "string"
  );
}

/** What the model reads in place of an answer that is no result. */
export function noResult(tool_name: string): ToolResult {
  const content = `${tool_name} answered with something that is no result: a result needs content, which must be text.`;
  return { content, is_error: true };
}

/** A result as the conversation can hold it: of one that is too long for any model the beginning, and how much is missing. */
export function boundedResult(result: ToolResult): ToolResult {
  const { content } = result;
  if (content.length <= MOST_CHARACTERS) return result;
  const kept = firstCharacters(content, MOST_CHARACTERS - NOTE_CHARACTERS);
  const missing = characterCount(content) - characterCount(kept);
  return { ...result, content: `${kept}\n[… ${missing} more characters left out …]` };
}

/** What hooks are told of a result. Tools are written by anybody: data that fails when it is read is none. */
export function responseOf(result: ToolResult): unknown {
  try {
    return result.data ?? result.content;
  } catch {
    return result.content;
  }
}
