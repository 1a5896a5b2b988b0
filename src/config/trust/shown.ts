import { closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";
import { systemCode } from "../../node/system-code.ts";

/** Of a longer file the beginning is shown, and how much is missing. */
const MOST_BYTES = 1_000_000;

/** A value of a file as a human reads it, whole: what is not shown could be what matters. */
export function shownValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

/** A file as a human reads it, with where a link leads. Never throws. */
export function shownFile(file: string): string {
  try {
    const status = statSync(file);
    const real = realpathSync(file);
    const link = real === file ? "" : `(leads to ${real})\n`;
    if (!status.isFile()) return `${link}(not a plain file)`;
    const bytes = head(file, status.size);
    if (bytes.includes(0)) return `${link}(not a text, ${status.size} bytes)`;
    const missing = status.size - bytes.length;
    const text = bytes.toString("utf8");
    if (missing <= 0) return `${link}${text}`;
    return `${link}${text.replace(/\uFFFD+$/, "")}\n(${missing} more bytes, see the file)`;
  } catch (error) {
    return systemCode(error) === "ENOENT" ? "(not there)" : "(can't be read)";
  }
}

function head(file: string, size: number): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const chunk = Buffer.alloc(Math.min(size, MOST_BYTES));
    let length = 0;
    for (let read = -1; read !== 0 && length < chunk.length; length += read)
      read = readSync(descriptor, chunk, length, chunk.length - length, length);
    return chunk.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
