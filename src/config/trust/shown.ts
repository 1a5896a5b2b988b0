import { closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";
import { firstCharacters } from "../../core/text.ts";

const MOST_CHARACTERS = 4000;

/** A value of a file as a human reads it, shortened. */
export function shownValue(value: unknown): string {
  return shortened(typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""));
}

/** The beginning of a file as a human reads it, with where a link leads. Never throws. */
export function shownFile(file: string): string {
  try {
    const status = statSync(file);
    const real = realpathSync(file);
    const link = real === file ? "" : `(leads to ${real})\n`;
    if (!status.isFile()) return `${link}(not a plain file)`;
    const bytes = head(file);
    if (bytes.includes(0)) return `${link}(not a text, ${status.size} bytes)`;
    return `${link}${shortened(bytes.toString("utf8"), status.size > bytes.length)}`;
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isGone ? "(not there)" : "(can't be read)";
  }
}

function head(file: string): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const chunk = Buffer.alloc(MOST_CHARACTERS * 2);
    return chunk.subarray(0, readSync(descriptor, chunk));
  } finally {
    closeSync(descriptor);
  }
}

function shortened(text: string, more = false): string {
  if (text.length <= MOST_CHARACTERS && !more) return text;
  return `${firstCharacters(text, MOST_CHARACTERS).replace(/\uFFFD+$/, "")}\n…`;
}
