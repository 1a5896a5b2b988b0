import { isRecord } from "../../core/base/json.ts";
import { bytesIn, type FilePart, fileMark, isFilePart } from "../../core/contracts/content.ts";
import type { Message } from "../../core/events/payloads.ts";
import type { AgentMessage } from "./messages.ts";

/** About what providers count for an image of usual size, and for a page of a document. */
const IMAGE_TOKENS = 1600;
const BYTES_PER_TOKEN = 30;

/** About as many tokens as the images and files of a message have. */
export function fileTokens(message: Message): number {
  let tokens = 0;
  for (const { media_type, data = "" } of filesIn(message))
    tokens += media_type.startsWith("image/")
      ? IMAGE_TOKENS
      : Math.max(IMAGE_TOKENS, Math.ceil(bytesIn(data) / BYTES_PER_TOKEN));
  return tokens;
}

export function hasFiles(message: Message): boolean {
  const { parts } = message;
  return (
    Array.isArray(parts) &&
    parts.some((part) => isRecord(part) && (isFilePart(part) || part.files !== undefined))
  );
}

function filesIn({ parts }: Message): readonly FilePart[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(isRecord).flatMap((part) => {
    const files: readonly unknown[] = Array.isArray(part.files) ? part.files : [part];
    return files.filter(isRecord).filter((file) => isFilePart(file));
  });
}

/** The message with a mark in place of each image and file; the message itself if it has none. */
export function withMarks(message: AgentMessage, why?: string): AgentMessage {
  if (!hasFiles(message)) return message;
  if (message.role === "user") {
    const parts = message.parts.map((part) =>
      part.type === "file" ? ({ type: "text", text: fileMark(part, why) } as const) : part,
    );
    return { ...message, parts };
  }
  if (message.role !== "tool") return message;
  const [{ files = [], ...part }] = message.parts;
  if (why === undefined || files.length === 0) return { ...message, parts: [part] };
  return { ...message, parts: [{ ...part, content: `${part.content}\n[files left out: ${why}]` }] };
}
