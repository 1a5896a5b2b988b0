import { TextDecoder } from "node:util";

/** The two streams of a program. */
export type OutputStream = "stdout" | "stderr";

/** What is kept and shown of one stream of a program. */
export class Output {
  /** True when there was more than is kept. */
  truncated = false;
  private readonly chunks: Buffer[] = [];
  private readonly most: number;
  private readonly show: ((text: string) => void) | undefined;
  private decoder: TextDecoder | undefined;
  private kept = 0;

  /** Keeps `most` bytes; shows them as text while they come, in whole characters. */
  constructor(most: number, show?: (text: string) => void) {
    this.most = most;
    this.show = show;
  }

  add(chunk: Buffer): void {
    const room = this.most - this.kept;
    if (chunk.length > room) this.truncated = true;
    if (room === 0) return;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.chunks.push(part);
    this.kept += part.length;
    if (this.show === undefined) return;
    this.decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
    this.tell(this.decoder.decode(part, { stream: true }));
  }

  /** The bytes that were kept. Half a character at the end is there, and shown, only if the program really wrote it so. */
  end(): Buffer {
    if (this.decoder !== undefined && !this.truncated) this.tell(this.decoder.decode());
    this.decoder = undefined;
    const all = this.bytes();
    return this.truncated ? all.subarray(0, endOfCharacters(all)) : all;
  }

  /** What was kept so far. */
  bytes(): Buffer {
    const [only] = this.chunks;
    return this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks);
  }

  private tell(text: string): void {
    if (text !== "") this.show?.(text);
  }
}

/** Bytes as text, without half a character at the end: a program that was ended may have been about to write the rest. */
export function wholeCharacters(bytes: Buffer): string {
  return bytes.toString("utf8", 0, endOfCharacters(bytes));
}

/** Where the last whole character of a text in UTF-8 ends. Bytes that begin no character are left as they are. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    return lengthOfCharacter(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthOfCharacter(first: number): number {
  if (first >= 0xf8) return 1;
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
