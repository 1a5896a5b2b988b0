import { invalidOption } from "../../core/base/errors.ts";
import { frozenCopy, isRecord } from "../../core/base/json.ts";
import { bytesIn, type ContentPart, type FilePart, isFilePart } from "../../core/contracts/content.ts";
import { type ReadPart, readContent } from "../../shared/contracts/read-content.ts";

/** What an agent is given to do: a string, or text with images and files. */
export type Prompt = string | readonly ContentPart[];

export interface PromptInput {
  readonly type: "prompt";
  /** Its texts, one below the other. */
  readonly text: string;
  /** Its parts, if it has images or files. */
  readonly parts?: readonly ReadPart[];
}

/** All files of one prompt together: requests of providers have a limit, too. */
const MOST_PROMPT_BYTES = 20_000_000;

/**
 * Reads a prompt. Providers reject one without content.
 *
 * @throws TenterhookError `invalid_option`, `unknown_option`.
 */
export function readPrompt(task: unknown, place = "run"): PromptInput {
  if (typeof task === "string" && task.trim() !== "") return { type: "prompt", text: task };
  if (!Array.isArray(task))
    throw invalidOption(`${place} needs a string that is not empty, or a list of text, images and files.`);
  const read = readContent(task, `${place}: content`);
  const parts = read.filter((part) => part.type === "file" || part.text !== "");
  if (parts.length === 0) throw invalidOption(`${place}: there is no content.`);
  const bytes = parts.map((part) => (part.type === "file" ? bytesIn(part.data ?? "") : 0));
  if (bytes.reduce((sum, each) => sum + each, 0) > MOST_PROMPT_BYTES)
    throw invalidOption(`${place}: the files have more than ${MOST_PROMPT_BYTES} bytes together.`);
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return { type: "prompt", text, parts: frozenCopy(parts) };
}

/** The prompt with another text, as a hook wrote it. Its files stay. */
export function withText(input: PromptInput, text: string): PromptInput {
  const files = filesOf(input);
  if (files.length === 0) return { type: "prompt", text };
  return { type: "prompt", text, parts: frozenCopy([{ type: "text", text } as const, ...files]) };
}

export function filesOf({ parts = [] }: PromptInput): readonly FilePart[] {
  return parts.filter((part) => part.type === "file");
}

export function partsOf({ text, parts = [{ type: "text", text }] }: PromptInput): readonly ReadPart[] {
  return parts;
}

/** True for a prompt as a store returns it. */
export function isPromptInput(value: Readonly<Record<string, unknown>>): boolean {
  const { type, text, parts = [] } = value;
  if (type !== "prompt" || typeof text !== "string" || !Array.isArray(parts)) return false;
  return parts.every(
    (part) => isRecord(part) && (isFilePart(part) || (part.type === "text" && typeof part.text === "string")),
  );
}
