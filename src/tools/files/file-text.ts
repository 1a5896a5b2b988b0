import type { FileHandle } from "node:fs/promises";
import { failed } from "../input.ts";
import { describeBinary } from "./binary.ts";
import type { Place } from "./workspace.ts";

/** Files up to this size are read whole: to be edited, and to remember how they were. */
export const MOST_WHOLE_BYTES = 16 * 1024 * 1024;

/** The text of a file, and the byte order mark in front of it, if there is one. */
export interface FileText {
  readonly mark: "" | "\uFEFF";
  readonly text: string;
}

/** The bytes of a file. Throws when there are more than can be edited. */
export async function wholeFile(handle: FileHandle, place: Place): Promise<Buffer> {
  const { size } = await handle.stat();
  if (size > MOST_WHOLE_BYTES) {
    throw failed(
      `${place.written} has ${size} bytes; files over ${MOST_WHOLE_BYTES} bytes are not edited here.`,
    );
  }
  return handle.readFile();
}

/** The bytes as text. Throws for anything that is not UTF-8, since writing it back would change more than the edit. */
export function decodeText(bytes: Buffer, place: Place): FileText {
  const binary = describeBinary(bytes);
  if (binary !== undefined) throw failed(`${place.written} is ${binary}, not text, and can't be edited.`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw failed(`${place.written} is not UTF-8 text and can't be edited without damage.`, error);
  }
  return text.startsWith("\uFEFF") ? { mark: "\uFEFF", text: text.slice(1) } : { mark: "", text };
}

/** The bytes of a text. */
export function encodeText({ mark, text }: FileText): Buffer {
  return Buffer.from(mark + text, "utf8");
}

/** Throws for a text with half a character, which no file can hold. */
export function checkWellFormed(text: string, field: string): void {
  if (/\p{Surrogate}/u.test(text))
    throw failed(`${field} holds half of a surrogate pair, which is no character.`);
}
