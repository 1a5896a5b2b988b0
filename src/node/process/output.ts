import type { ChildProcess } from "node:child_process";
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

/**
 * A pipe that another process holds counts as empty after this long without data. Later output is lost, so it is long
 * enough for a busy machine.
 */
const QUIET_MILLISECONDS = 250;
/** How long such a pipe is read at most. */
const LONGEST_MILLISECONDS = 500;
/** How long to wait for a reply that must not be lost. */
const PATIENT_MILLISECONDS = 3000;
const STEP_MILLISECONDS = 25;

/**
 * Waits for the remaining output of a program that has exited, and calls back once. True: its pipes have ended, which
 * is the usual case. False: something it started holds them. Waits a moment for output that a helper such as `tee`
 * still passes on; with `answered`, up to 3 s until it returns true for a held stdout.
 */
export function whenDrained(
  child: ChildProcess,
  callback: (released: boolean) => void,
  answered?: () => boolean,
): void {
  const open = [child.stdout, child.stderr].flatMap((stream) => (isOpen(stream) ? [stream] : []));
  if (open.length === 0) {
    callback(true);
    return;
  }
  const began = performance.now();
  let heardAt = began;
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const finish = (released: boolean): void => {
    over = true;
    clearTimeout(timer);
    for (const stream of open) stream.off("data", onData).off("end", onEnd).off("close", onEnd);
    callback(released);
  };
  const onData = (): void => {
    heardAt = performance.now();
  };
  const onEnd = (): void => {
    if (!over && !open.some(isOpen)) finish(true);
  };
  const isDone = (): boolean => {
    const now = performance.now();
    if (answered !== undefined && isOpen(child.stdout))
      return answered() || now > began + PATIENT_MILLISECONDS;
    return now >= heardAt + QUIET_MILLISECONDS || now > began + LONGEST_MILLISECONDS;
  };
  const look = (): void => {
    if (over) return;
    if (isDone()) finish(false);
    else wait();
  };
  const wait = (): void => {
    timer = setTimeout(afterReading, STEP_MILLISECONDS, look);
  };
  for (const stream of open) stream.on("data", onData).on("end", onEnd).on("close", onEnd);
  wait();
}

/** True for a pipe that has not ended. */
export function isOpen(stream: ChildProcess["stdout"]): stream is NonNullable<ChildProcess["stdout"]> {
  return stream !== null && !stream.readableEnded && !stream.destroyed;
}

/**
 * Calls back once everything in the pipes has been read. A timer alone is not enough: when our process was busy, it
 * fires before the pipes are read. They are read between two immediates.
 */
export function afterReading(callback: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(callback)));
}
