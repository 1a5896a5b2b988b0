import { readFileSync } from "node:fs";
import { checksum } from "../../node/checksum.ts";
import { withOwnFile } from "../../node/files/own-file.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";

/*
 * Everything the configuration caches is in files of one format: a line with the format, our version, the length of the
 * head and a checksum of everything after the line; the head, as JSON; and sections, to which the head points, so that a
 * process that decides one event parses only what it needs. A file that is damaged, of another version, or that somebody
 * else could have written counts as missing.
 */

const FORMAT = 13;
/** A longer file counts as missing. */
export const MOST_BYTES = 200_000_000;
const NEWLINE = 0x0a;

/** A part of a cache file after its head. */
export interface Section {
  readonly at: number;
  readonly length: number;
}

/** A cache file that is whole. */
export interface CacheFile {
  /** The first line, which differs whenever anything else does. */
  readonly mark: string;
  readonly head: unknown;
  readonly sections: Buffer;
}

/** The first line of a file. */
export function markOf(headLength: number, body: Buffer): string {
  return `tenterhook ${FORMAT} ${PACKAGE_VERSION} ${headLength} ${checksum(body)}`;
}

/** Reads a cache file; `undefined` when it is missing or not valid. Never throws. */
export function readCacheFile(file: string): CacheFile | undefined {
  const whole = withOwnFile(file, MOST_BYTES, (descriptor) => readFileSync(descriptor));
  if (whole === undefined) return undefined;
  const mark = whole.toString("latin1", 0, Math.max(0, whole.indexOf(NEWLINE)));
  const body = whole.subarray(mark.length + 1);
  const headLength = Number(mark.split(" ")[3]);
  if (mark !== markOf(headLength, body)) return undefined;
  const head: unknown = JSON.parse(body.toString("utf8", 0, headLength));
  return { mark, head, sections: body.subarray(headLength) };
}
