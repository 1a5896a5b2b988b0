import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { characterCount, firstCharacters } from "../../core/base/text.ts";
import type { FileContent } from "../../core/contracts/content.ts";
import type { Tool, ToolContext } from "../../core/contracts/tool.ts";
import { mediaTypeOf } from "../../shared/contracts/media-type.ts";
import { MOST_FILE_BYTES } from "../../shared/contracts/read-content.ts";
import { chunksOf, describeBinary, lineSplitter, MOST_WHOLE_BYTES } from "./files/file-text.ts";
import { fingerprint, rememberFile } from "./files/known-files.ts";
import { openFile } from "./files/open-file.ts";
import { type Place, placeToRead } from "./files/workspace.ts";
import { failed, inputSchema, optionalNumber, textField, textOf } from "./input.ts";

const DEFAULT_LINES = 2_000;
const LONGEST_LINE = 2_000;
const MOST_CHARACTERS = 100_000;

const DESCRIPTION = `Reads a file of the workspace: text, an image (PNG, JPEG, GIF, WebP) or a PDF document.

- Lines come with their number in front, as from \`cat -n\`: the number, a tab, the line. The numbers are not part of the file.
- Without offset and limit you get the first ${DEFAULT_LINES} lines. A long answer is cut, and says at which offset to go on.
- Lines over ${LONGEST_LINE} characters are cut. Other binary files are not shown. For a folder use Glob.`;

/** Shows a text file with line numbers, an image or a document, and remembers its content to notice later changes. */
export const readTool: Tool = {
  name: "Read",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      file_path: textField("The file to read, absolute or from the working folder."),
      offset: { type: "integer", minimum: 0, description: "The line to begin with; 1 is the first." },
      limit: {
        type: "integer",
        minimum: 1,
        description: `How many lines to read; ${DEFAULT_LINES} when not given.`,
      },
    },
    ["file_path"],
  ),
  annotations: { read_only: true, idempotent: true },
  replay: "safe",
  async run(input, context) {
    const place = placeToRead(textOf(input, "file_path"), context);
    const first = Math.max(1, optionalNumber(input, "offset") ?? 1);
    const limit = optionalNumber(input, "limit") ?? DEFAULT_LINES;
    const handle = await openFile(place, context);
    try {
      const file = await wholeImage(handle, place, context);
      if (file !== undefined) return { content: [file] };
      const page = await readPage(handle, place, { first, limit }, context);
      return { content: shown(page, place, first) };
    } finally {
      await handle.close();
    }
  },
};

/** The most bytes of an image or document that is shown. Providers take about as much. */
const MOST_SHOWN: Readonly<Record<string, number>> = {
  "image/png": 3_750_000,
  "image/jpeg": 3_750_000,
  "image/gif": 3_750_000,
  "image/webp": 3_750_000,
  "application/pdf": MOST_FILE_BYTES,
};

/** The image or PDF document that a file is; `undefined` for any other file. */
async function wholeImage(
  handle: FileHandle,
  place: Place,
  context: ToolContext,
): Promise<FileContent | undefined> {
  const head = Buffer.alloc(16);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  const media_type = mediaTypeOf(head.subarray(0, bytesRead));
  const most = media_type === undefined ? undefined : MOST_SHOWN[media_type];
  if (media_type === undefined || most === undefined) return undefined;
  const { size } = await handle.stat();
  if (size > most)
    throw failed(
      `${place.written} is ${describeBinary(head)} of ${size} bytes; at most ${most} are shown. Make a smaller one.`,
    );
  context.signal.throwIfAborted();
  const data = Buffer.alloc(size);
  const { bytesRead: read } = await handle.read(data, 0, size, 0);
  const bytes = data.subarray(0, read);
  rememberFile(place, fingerprint(bytes), context);
  return { type: "file", media_type, filename: basename(place.real), data: bytes };
}

interface Page {
  readonly lines: readonly string[];
  /** The number of lines, when the file was read to its end. */
  readonly total?: number;
  /** True when more lines follow. */
  readonly more: boolean;
}

async function readPage(
  handle: FileHandle,
  place: Place,
  { first, limit }: { readonly first: number; readonly limit: number },
  context: ToolContext,
): Promise<Page> {
  const { size } = await handle.stat();
  const hash = size <= MOST_WHOLE_BYTES ? createHash("sha256") : undefined;
  const splitter = lineSplitter();
  const lines: string[] = [];
  let number = 0;
  let room = MOST_CHARACTERS;
  let full = false;
  const take = (found: readonly string[]): void => {
    for (const line of found) {
      number += 1;
      if (number < first || full) continue;
      const text = numbered(number, line);
      full = lines.length >= limit || (room < text.length && lines.length > 0);
      if (full) continue;
      room -= text.length;
      lines.push(text);
    }
  };

  let begun = false;
  for await (const chunk of chunksOf(handle, context.signal)) {
    const binary = begun && !chunk.includes(0) ? undefined : describeBinary(chunk);
    begun = true;
    if (binary !== undefined)
      throw failed(
        `${place.written} is ${binary} of ${size} bytes; Read shows text, images and PDF documents only.`,
      );
    hash?.update(chunk);
    take(splitter.push(chunk));
    // A file that is too big to be edited needs no fingerprint.
    if (full && hash === undefined) break;
  }
  if (!(full && hash === undefined)) take(splitter.end());
  if (hash !== undefined) rememberFile(place, hash.digest("hex"), context);
  return hash === undefined && full ? { lines, more: full } : { lines, more: full, total: number };
}

function numbered(number: number, line: string): string {
  const characters = line.length > LONGEST_LINE ? characterCount(line) : 0;
  const text =
    characters > LONGEST_LINE
      ? `${firstCharacters(line, LONGEST_LINE)}… [cut: the line has ${characters} characters]`
      : line;
  return `${String(number).padStart(6)}\t${text}`;
}

function shown({ lines, total, more }: Page, place: Place, first: number): string {
  if (total === 0) return `(${place.written} is empty)`;
  if (lines.length === 0) return `(${place.written} has ${total} lines; there is no line ${first})`;
  const text = lines.join("\n");
  const notes = [
    ...(more
      ? [`${lines.length} lines of ${total ?? "many"}; go on with offset ${first + lines.length}`]
      : []),
    ...(text.includes("\uFFFD") ? ["bytes that are not UTF-8 are shown as \uFFFD"] : []),
  ];
  return notes.length === 0 ? text : `${text}\n\n(${notes.join("; ")})`;
}
