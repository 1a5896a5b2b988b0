import { closeSync, readFileSync, readSync, rmSync } from "node:fs";
import { checksum } from "../../node/checksum.ts";
import { openOwnFile } from "../../node/files/own-file.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";

/*
 * Everything the configuration caches is in files of one format: a line with the format, our version, two lengths and
 * the checksum of the head; the head, as JSON; and sections, to which the head points, each with its own checksum. So a
 * process that decides one event checks only what it reads. A file that is damaged, of another version, or that
 * somebody else could have written counts as missing.
 */

const FORMAT = 10;
const MOST_BYTES = 200_000_000;
const NEWLINE = 0x0a;
/** No first line is longer. */
const MARK_BYTES = 120;

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
  /** The bytes of a section, whether or not they are damaged. */
  bytes(section: Section): Buffer;
  /** The text of a section; when it is damaged, `undefined`, and the file is removed. */
  text(section: Section): string | undefined;
}

/** The first line of a file. */
export function markOf(head: Buffer, sectionBytes: number): string {
  return `tenterhook ${FORMAT} ${PACKAGE_VERSION} ${head.length} ${sectionBytes} ${checksum(head)}`;
}

/** Reads a cache file; `undefined` when it is missing or not valid. Never throws. */
export function readCacheFile(file: string): CacheFile | undefined {
  const whole = withOwnFile(file, (descriptor) => readFileSync(descriptor));
  if (whole === undefined) return undefined;
  const mark = whole.toString("latin1", 0, Math.max(0, whole.indexOf(NEWLINE)));
  const headAt = mark.length + 1;
  const sectionsAt = headAt + Number(mark.split(" ")[3]);
  const head = whole.subarray(headAt, sectionsAt);
  if (mark !== markOf(head, whole.length - sectionsAt)) return undefined;
  const bytes = ({ at, length }: Section) => whole.subarray(sectionsAt + at, sectionsAt + at + length);
  const value: unknown = JSON.parse(head.toString("utf8"));
  return {
    mark,
    head: value,
    bytes,
    text(section) {
      const found = bytes(section);
      if (checksum(found) === section.checksum) return found.toString("utf8");
      rmSync(file, { force: true });
      return undefined;
    },
  };
}

/** The first line of a file, whatever it is; `undefined` when the file can't be believed. Never throws. */
export function readMark(file: string): string | undefined {
  const read = (descriptor: number): string => {
    const start = Buffer.alloc(MARK_BYTES);
    return start.toString("latin1", 0, readSync(descriptor, start)).split("\n", 1)[0] ?? "";
  };
  return withOwnFile(file, read);
}

function withOwnFile<T>(file: string, read: (descriptor: number) => T): T | undefined {
  const opened = openOwnFile(file);
  if (opened === undefined) return undefined;
  try {
    return opened.size > MOST_BYTES ? undefined : read(opened.descriptor);
  } catch {
    return undefined;
  } finally {
    closeSync(opened.descriptor);
  }
}
