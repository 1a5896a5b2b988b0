import { readFileSync } from "node:fs";
import { checksum } from "../../node/checksum.ts";
import { withOwnFile } from "../../node/files/own-file.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";

/*
 * Everything the configuration caches is in files of one format: a line with the format, our version, two lengths and
 * the checksum of the head; the head, as JSON; and sections, to which the head points, each with its own checksum. So a
 * process that decides one event checks only what it reads. A file that is damaged, of another version, or that
 * somebody else could have written counts as missing.
 */

const FORMAT = 11;
/** A longer file counts as missing. */
export const MOST_BYTES = 200_000_000;
const NEWLINE = 0x0a;

/** A part of a cache file after its head. */
export interface Section {
  readonly at: number;
  readonly length: number;
  readonly checksum: string;
}

/** A cache file whose head is whole. */
export interface CacheFile {
  /** The first line, which differs whenever the head does. */
  readonly mark: string;
  readonly head: unknown;
  /** All sections, whether or not they are damaged. */
  readonly sections: Buffer;
}

/** The first line of a file. */
export function markOf(head: Buffer, sectionBytes: number): string {
  return `tenterhook ${FORMAT} ${PACKAGE_VERSION} ${head.length} ${sectionBytes} ${checksum(head)}`;
}

/** Reads a cache file; `undefined` when it is missing or not valid. Never throws. */
export function readCacheFile(file: string): CacheFile | undefined {
  const whole = withOwnFile(file, MOST_BYTES, (descriptor) => readFileSync(descriptor));
  if (whole === undefined) return undefined;
  const mark = whole.toString("latin1", 0, Math.max(0, whole.indexOf(NEWLINE)));
  const headAt = mark.length + 1;
  const sectionsAt = headAt + Number(mark.split(" ")[3]);
  const head = whole.subarray(headAt, sectionsAt);
  if (mark !== markOf(head, whole.length - sectionsAt)) return undefined;
  return { mark, head: JSON.parse(head.toString("utf8")), sections: whole.subarray(sectionsAt) };
}
