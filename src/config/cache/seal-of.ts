import { closeSync, constants, openSync, readSync } from "node:fs";
import { PACKAGE_VERSION } from "../../node/package-version.ts";

const FORMAT = 2;

/** What the first line of a sealed file must begin with to be ours: format and version of whoever wrote it. */
export const SEAL_MARK = `tenterhook ${FORMAT} ${PACKAGE_VERSION}`;

/** The seal of a file, read without its value; of a file that is none of ours whatever it begins with. Never throws. */
export function sealOf(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const beginning = Buffer.alloc(SEAL_MARK.length + 66);
    const text = beginning.toString("utf8", 0, readSync(descriptor, beginning));
    return text.slice(0, Math.max(0, text.indexOf("\n")));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
