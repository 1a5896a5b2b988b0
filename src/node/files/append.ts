import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";

const NEWLINE = 0x0a;
/** Neither follows a link nor waits for the reader of a pipe. */
const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a plain file for appending and creates it when it is missing. The caller closes it. */
export function openForAppending(file: string): number {
  return openPlain(file).open;
}

function openPlain(file: string): { readonly open: number; readonly size: number } {
  const open = openSync(file, FLAGS, 0o600);
  const status = fstatSync(open);
  if (status.isFile()) return { open, size: status.size };
  closeSync(open);
  throw new Error(`${file} is not a plain file.`);
}

/**
 * Appends lines to a file that other processes append to as well; no line is lost or torn. An incomplete last line,
 * left by a killed writer or a full disk, is ended first, so that it spoils no other.
 *
 * @returns how many bytes the file had before.
 * @throws the file system's error; earlier lines may have been written.
 */
export function appendLines(file: string, lines: readonly string[]): number {
  const { open, size } = openPlain(file);
  try {
    let rest = lines;
    let mends = isTorn(open, size);
    while (rest.length > 0) {
      // One write: the system moves to the end and writes in one step.
      const bytes = Buffer.from(`${mends ? "\n" : ""}${rest.map((line) => `${line}\n`).join("")}`);
      const written = writeSync(open, bytes);
      if (written === bytes.length) break;
      // Others may have written meanwhile, so the incomplete line is written again on a line of its own.
      const whole = bytes
        .subarray(mends ? 1 : 0, written)
        .reduce((sum, byte) => sum + (byte === NEWLINE ? 1 : 0), 0);
      rest = rest.slice(whole);
      mends = true;
    }
    return size;
  } finally {
    closeSync(open);
  }
}

function isTorn(open: number, size: number): boolean {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(open, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}
