import { checksum } from "../../node/checksum.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { type Section, WRITER } from "./cache-file.ts";

/* Apart from what reads these files: writing needs modules of Node that `tenterhook hook` must not load. */

/** The sections of a cache file that is being made. */
export class Sections {
  readonly pieces: Buffer[] = [];
  private length = 0;

  add(content: string | Buffer): Section {
    const bytes = Buffer.from(content);
    const section = { at: this.length, length: bytes.length };
    this.pieces.push(bytes);
    this.length += bytes.length;
    return section;
  }
}

/**
 * Writes a cache file, whole or not at all.
 *
 * @returns its first line.
 * @throws what the file system says.
 */
export async function writeCacheFile(
  file: string,
  content: unknown,
  sections = new Sections(),
): Promise<string> {
  const head = Buffer.from(JSON.stringify(content));
  const body = Buffer.concat([head, ...sections.pieces]);
  const mark = `${WRITER}${head.length} ${checksum(body)}`;
  const whole = Buffer.concat([Buffer.from(`${mark}\n`), body]);
  await writeAtomically(file, Buffer.concat([whole, whole]));
  return mark;
}
