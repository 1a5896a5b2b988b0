import { closeSync, constants, openSync, writeSync } from "node:fs";

/** Linux's flag for a file that never has a name; Node does not list it. */
const NAMELESS = 0o20000000 | constants.O_DIRECTORY;
/** Where files are kept in memory. */
const FOLDER = "/dev/shm";

/**
 * A file in memory, without a name, for a program to read as its input; close it once the program is started. The pipes
 * that Node makes are sockets, which Linux does not let a program open by name: `cat /dev/stdin` and
 * `readFileSync("/dev/stdin")` would fail. `undefined` where such a file can't be had or is not needed: a pipe does then.
 */
export function inputFile(input: string | Uint8Array): number | undefined {
  if (process.platform !== "linux") return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(FOLDER, constants.O_RDWR | NAMELESS, 0o600);
  } catch {
    return undefined;
  }
  try {
    const bytes = typeof input === "string" ? Buffer.from(input) : input;
    // Each piece at its place, so that who reads begins at the start.
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, at);
    return descriptor;
  } catch {
    closeSync(descriptor);
    return undefined;
  }
}
