import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { systemCode } from "./system-code.ts";

/** No agent sends more. */
const MOST_BYTES = 64_000_000;

/**
 * Reads all of stdin.
 *
 * @throws when it can't be read, is too long or is not UTF-8: what a hook reads must be what the tool gets.
 */
export async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const add = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes.`);
  };
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(65_536);
      const read = readSync(0, chunk);
      if (read === 0) break;
      add(chunk.subarray(0, read));
    }
  } catch (error) {
    // A pipe that does not block needs a stream, which takes long to make.
    if (systemCode(error) === "EAGAIN") for await (const chunk of process.stdin) add(chunk);
    else if (systemCode(error) !== "EOF") throw error;
  }
  const all = Buffer.concat(chunks);
  if (!isUtf8(all)) throw new Error("it is not UTF-8 text.");
  return all.toString("utf8");
}
