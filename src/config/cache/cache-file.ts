import { readFileSync } from "node:fs";
import { withOwnFile } from "../../node/files/own-file.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";

/*
 * Everything the configuration caches is in files of one format: a line with the format, our version, the length of the
 * head and a checksum of everything after the line; the head, as JSON; and sections, to which the head points, so that a
 * process that decides one event parses only what it needs. All of it is there twice: comparing is much quicker than a
 * checksum. A file that is damaged, of another version, or that somebody else could have written counts as missing.
 */

const FORMAT = 23;
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

export const WRITER = `tenterhook ${FORMAT} ${PACKAGE_VERSION} `;

/** Reads a cache file; `undefined` when it is missing or not valid. Never throws. */
export function readCacheFile(file: string): CacheFile | undefined {
  const bytes = withOwnFile(file, MOST_BYTES, (descriptor) => readFileSync(descriptor));
  const content = bytes?.subarray(0, bytes.length / 2);
  if (bytes === undefined || content?.equals(bytes.subarray(content.length)) !== true) return undefined;
  const mark = content.toString("latin1", 0, Math.max(0, content.indexOf(NEWLINE)));
  if (!mark.startsWith(WRITER)) return undefined;
  const headLength = Number(mark.split(" ")[3]);
  const body = content.subarray(mark.length + 1);
  const head: unknown = JSON.parse(body.toString("utf8", 0, headLength));
  return { mark, head, sections: body.subarray(headLength) };
}
