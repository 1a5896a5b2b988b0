import { readSync } from "node:fs";
import { systemCode } from "../../../node/system-code.ts";

/** Longer input is refused: nothing an agent sends needs more. */
const MOST_BYTES = 64_000_000;

/**
 * All of stdin, whether or not it is there at once.
 *
 * @throws when it can't be read or is too long.
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
    if (systemCode(error) === "EOF") return text(chunks);
    // A pipe that does not block; waiting for it needs a stream, which is dearer to make.
    if (systemCode(error) !== "EAGAIN") throw error;
    for await (const chunk of process.stdin) add(chunk);
  }
  return text(chunks);
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
