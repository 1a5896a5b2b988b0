import { writeAtomically } from "../../node/files/atomic-write.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { sha256 } from "./digest.ts";
import { SEAL_MARK } from "./seal-of.ts";

const MOST_BYTES = 200_000_000;

/**
 * Reads a value that {@link writeSealed} wrote. Answers `undefined` for everything else: no file, one that is cut off or
 * damaged, one of another version, one that somebody else wrote or could have written. Never throws.
 */
export function readSealed(file: string): unknown {
  const { text } = readOwnFile(file, MOST_BYTES);
  if (text === undefined) return undefined;
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  if (end === -1 || text.slice(0, end) !== `${SEAL_MARK} ${sha256(body)}`) return undefined;
  const value: unknown = JSON.parse(body);
  return value;
}

/**
 * Writes a value as one file of this user's own, with a seal over all of it.
 *
 * @returns the seal.
 * @throws what the file system says.
 */
export async function writeSealed(file: string, value: unknown): Promise<string> {
  const body = JSON.stringify(value);
  const seal = `${SEAL_MARK} ${sha256(body)}`;
  await writeAtomically(file, `${seal}\n${body}`);
  return seal;
}
