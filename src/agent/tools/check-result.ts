import { errorMessage } from "../../core/base/error-text.ts";
import { frozenCopy } from "../../core/base/json.ts";
import { beginningOf } from "../../core/base/text.ts";
import { bytesIn, type FilePart, fileMark } from "../../core/contracts/content.ts";
import type { TextResult, ToolResult } from "../../core/contracts/tool.ts";
import type { ContextItem } from "../../core/events/outcomes.ts";
import { type ReadPart, readContent } from "../../shared/contracts/read-content.ts";
import { isResult } from "./tool.ts";

/** More than any model can read of one result; the built-in tools stay far below it. */
const MOST_CHARACTERS = 1_000_000;

const NOTE_CHARACTERS = 100;

/** The files of one result: each request sends them again. */
const MOST_FILES = 20;
const MOST_FILE_BYTES = 10_000_000;

/** A result as the conversation gets it: text with a mark for each file, and the files. */
export interface ReadResult extends TextResult {
  readonly files?: readonly FilePart[];
}

const KEYS: ReadonlySet<string> = new Set<keyof ToolResult>([
  "content",
  "is_error",
  "data",
  "additional_context",
]);

/** Reads what a tool returned. Users write tools: what is no result is an invalid one, whose text says why. */
export function readResult(
  given: unknown,
  tool_name: string,
): { readonly result: ReadResult; readonly valid: boolean } {
  const invalid = (problem: string) => ({
    result: { content: `${tool_name} returned no valid result: ${problem}`, is_error: true },
    valid: false,
  });
  if (!isResult(given)) return invalid("a result needs content, which must be a string or a list of parts.");
  const { content, additional_context: context } = given;
  const unknown = Object.keys(given).find((key) => !KEYS.has(key));
  if (unknown !== undefined)
    return invalid(
      `"${unknown}" is no key of a result, which has ${[...KEYS].join(", ")}. Other values belong into data.`,
    );
  if (context !== undefined && typeof context !== "string")
    return invalid("additional_context must be a string.");
  if (typeof content === "string") return { result: boundedResult(given, content), valid: true };
  try {
    return { result: ofParts(readContent(content, "content"), given), valid: true };
  } catch (error) {
    return invalid(errorMessage(error));
  }
}

/** A getter of a user's tool may throw. */
function dataOf(result: Pick<ToolResult, "data">): unknown {
  try {
    return result.data;
  } catch {
    return undefined;
  }
}

function ofParts(parts: readonly ReadPart[], given: ToolResult): ReadResult {
  const files: FilePart[] = [];
  let bytes = 0;
  const texts = parts.map((part) => {
    if (part.type === "text") return part.text;
    // Providers take text only as a failure.
    if (given.is_error === true) return fileMark(part, "the call failed");
    const size = bytesIn(part.data ?? "");
    if (files.length >= MOST_FILES) return fileMark(part, `a result has at most ${MOST_FILES} files`);
    if (bytes + size > MOST_FILE_BYTES)
      return fileMark(part, `the files of a result have at most ${MOST_FILE_BYTES} bytes`);
    bytes += size;
    files.push(part);
    return fileMark(part);
  });
  const result = boundedResult(given, texts.join("\n"));
  return files.length === 0 ? result : { ...result, files: frozenCopy(files) };
}

/** What a tool adds to its result, for the model. */
export function contextOf({ additional_context: text }: ReadResult, hook: string): readonly ContextItem[] {
  return text === undefined ? [] : [{ text, hook, role: "user", lifetime: "session", recorded: true }];
}

/** A result with this text, which is cut when it is too long for any model. */
export function boundedResult(given: Omit<ToolResult, "content">, text: string): ReadResult {
  const { is_error, additional_context: context } = given;
  const data = dataOf(given);
  return {
    content: bounded(text),
    is_error,
    data,
    ...(context === undefined ? {} : { additional_context: bounded(context) }),
  };
}

function bounded(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : beginningOf(text, MOST_CHARACTERS - NOTE_CHARACTERS);
}
