import { closeSync, constants, openSync, readSync } from "node:fs";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { sha256 } from "../digest.ts";

const FORMAT = 2;
const MOST_BYTES = 200_000_000;

/** What the first line of a file must begin with to be ours: format and version of whoever wrote it. */
const MARK = `tenterhook ${FORMAT} ${PACKAGE_VERSION}`;

/**
 * Reads a value that {@link writeSealed} wrote. Answers `undefined` for everything else: no file, one that is cut off or
 * damaged, one of another version, one that somebody else wrote or could have written. Never throws.
 */
export function readSealed(file: string): unknown {
  const { text } = readOwnFile(file, MOST_BYTES);
  if (text === undefined) return undefined;
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  if (end === -1 || text.slice(0, end) !== `${MARK} ${sha256(body)}`) return undefined;
  const value: unknown = JSON.parse(body);
  return value;
}

/** The seal of a file, read without its value; of a file that is none of ours whatever it begins with. Never throws. */
export function sealOf(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const beginning = Buffer.alloc(MARK.length + 66);
    const text = beginning.toString("utf8", 0, readSync(descriptor, beginning));
    return text.slice(0, Math.max(0, text.indexOf("\n")));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Writes a value as one file of this user's own, with a seal over all of it.
 *
 * @returns the seal.
 * @throws what the file system says.
 */
export async function writeSealed(file: string, value: unknown): Promise<string> {
  const body = JSON.stringify(value);
  const seal = `${MARK} ${sha256(body)}`;
  await writeAtomically(file, `${seal}\n${body}`);
  return seal;
}
