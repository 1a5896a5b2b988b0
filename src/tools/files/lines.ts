import type { FileHandle } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;

/** A longer line is kept up to here; the rest of it is passed over. */
const LONGEST_LINE = 1_000_000;

/** The content of a file piece by piece. Each piece is valid until the next is asked for. */
export async function* chunksOf(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Puts pieces of UTF-8 together to lines, without their line breaks, and without a byte order mark. */
export interface LineSplitter {
  /** The lines that end in this piece. */
  push(bytes: Uint8Array): string[];
  /** The last line, when no line break ends it. */
  end(): string[];
}

/** A splitter that never keeps more than a line of bounded length. */
export function lineSplitter(): LineSplitter {
  const decoder = new TextDecoder("utf-8");
  let open = "";
  const take = (text: string): string[] => {
    const lines = text.split("\n");
    lines[0] = joined(open, lines[0] ?? "");
    open = lines.pop() ?? "";
    return lines.map(withoutReturn);
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    end() {
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
