import type { FileHandle } from "node:fs/promises";
import { failed } from "../input.ts";
import type { Place } from "./workspace.ts";

/** Larger files are not edited, and Read does not remember their content. */
export const MOST_WHOLE_BYTES = 16 * 1024 * 1024;

export interface FileText {
  readonly mark: "" | "\uFEFF";
  readonly text: string;
}

/** The bytes of a file. Throws when it is too big to be edited. */
export async function wholeFile(handle: FileHandle, place: Place): Promise<Buffer> {
  const { size } = await handle.stat();
  if (size > MOST_WHOLE_BYTES) {
    throw failed(
      `${place.written} has ${size} bytes; files over ${MOST_WHOLE_BYTES} bytes are not edited here.`,
    );
  }
  return handle.readFile();
}

/** Decodes UTF-8. Throws for anything else, because writing it back would change more than the edit. */
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

export function encodeText({ mark, text }: FileText): Buffer {
  return Buffer.from(mark + text, "utf8");
}

/** Throws for a string with half a surrogate pair, which no file can hold. */
export function checkWellFormed(text: string, field: string): void {
  if (/\p{Surrogate}/u.test(text))
    throw failed(`${field} holds half of a surrogate pair, which is no character.`);
}

const SIGNATURES: readonly (readonly [bytes: string, name: string])[] = [
  ["\x89PNG", "a PNG image"],
  ["\xff\xd8\xff", "a JPEG image"],
  ["GIF8", "a GIF image"],
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive"],
  ["\x1f\x8b", "a gzip file"],
  ["\x7fELF", "a program"],
  ["\xff\xfe", "UTF-16 text"],
  ["\xfe\xff", "UTF-16 text"],
];

/** Describes a binary file by its first bytes; `undefined` for text. A NUL byte in them means binary. */
export function describeBinary(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 16);
  const [, name] = SIGNATURES.find(([signature]) => head.startsWith(signature)) ?? [];
  if (name !== undefined) return name;
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "a WebP image";
  return bytes.includes(0) ? "a binary file" : undefined;
}

const CHUNK_BYTES = 64 * 1024;

/** The rest of a longer line is dropped. */
const LONGEST_LINE = 1_000_000;

/** Reads a file in chunks. Each chunk is valid until the next one is requested. */
export async function* chunksOf(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Splits chunks of UTF-8 into lines, without line breaks and byte order mark. */
export function lineSplitter() {
  const decoder = new TextDecoder("utf-8");
  let open = "";
  const take = (text: string): string[] => {
    const lines = text.split("\n");
    lines[0] = joined(open, lines[0] ?? "");
    open = lines.pop() ?? "";
    return lines.map(withoutReturn);
  };
  return {
    /** The lines that end in this chunk. */
    push: (bytes: Uint8Array): string[] => take(decoder.decode(bytes, { stream: true })),
    /** The last line, when no line break ends it. */
    end(): string[] {
      const lines = take(decoder.decode());
      return open === "" ? lines : [...lines, withoutReturn(open)];
    },
  };
}

function joined(open: string, more: string): string {
  return open.length >= LONGEST_LINE ? open : (open + more).slice(0, LONGEST_LINE);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
