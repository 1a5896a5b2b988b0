import { TextDecoder } from "node:util";

export type OutputStream = "stdout" | "stderr";

/** Stores and shows one output stream of a program. */
export class Output {
  /** True when there was more than is stored. */
  truncated = false;
  private readonly chunks: Buffer[] = [];
  private readonly most: number;
  private readonly show: ((text: string) => void) | undefined;
  private decoder: TextDecoder | undefined;
  private stored = 0;

  /** Stores `most` bytes, and shows them as text, in whole characters. */
  constructor(most: number, show?: (text: string) => void) {
    this.most = most;
    this.show = show;
  }

  add(chunk: Buffer): void {
    const room = this.most - this.stored;
    if (chunk.length > room) this.truncated = true;
    if (room === 0) return;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.chunks.push(part);
    this.stored += part.length;
    if (this.show === undefined) return;
    this.decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
    this.pass(this.decoder.decode(part, { stream: true }));
  }

  /** The stored bytes. They end in half a character only if the program really wrote it so. */
  end(): Buffer {
    if (this.decoder !== undefined && !this.truncated) this.pass(this.decoder.decode());
    this.decoder = undefined;
    const all = this.bytes();
    return this.truncated ? all.subarray(0, endOfCharacters(all)) : all;
  }

  /** The bytes so far. */
  bytes(): Buffer {
    const [only] = this.chunks;
    return this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks);
  }

  private pass(text: string): void {
    if (text !== "") this.show?.(text);
  }
}

/** Decodes bytes without half a character at the end: a program that was ended may not have written the rest. */
export function wholeCharacters(bytes: Buffer): string {
  return bytes.toString("utf8", 0, endOfCharacters(bytes));
}

/** Where the last whole character of UTF-8 ends. Invalid bytes are left as they are. */
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
