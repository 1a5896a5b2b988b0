import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** The last bytes of a file as a string; empty when it is not a file or can't be read. Never throws. */
export function endOfFile(path: string, mostBytes: number): string {
  let open: number | undefined;
  try {
    open = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(open);
    if (!status.isFile()) return "";
    const bytes = Buffer.alloc(Math.min(status.size, mostBytes));
    return bytes.toString("utf8", 0, readSync(open, bytes, 0, bytes.length, status.size - bytes.length));
  } catch {
    return "";
  } finally {
    if (open !== undefined) closeSync(open);
  }
}
