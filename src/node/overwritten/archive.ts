import { builtin } from "../builtin.ts";
import { readRegularFile } from "../files/regular-file.ts";

const LARGEST = 32_000_000;

/**
 * The wanted files that may be in an archive: all whose name and folder are somewhere in its bytes. `undefined` for a
 * format whose names can't be seen, and for a large archive.
 */
export function mayContain(
  path: string,
  into: string,
  wanted: readonly string[],
): readonly string[] | undefined {
  const bytes = readable(path);
  if (bytes === undefined) return undefined;
  const { basename, dirname, relative, sep } = builtin.path;
  const known = new Map<string, boolean>();
  const has = (text: string): boolean => {
    const found = known.get(text) ?? bytes.includes(text);
    known.set(text, found);
    return found;
  };
  return wanted.filter((file) => {
    const way = relative(into, file).replaceAll(sep, "/");
    // A long name is stored in two parts.
    return has(basename(way)) && (dirname(way) === "." || has(basename(dirname(way))));
  });
}

function readable(path: string): Buffer | undefined {
  try {
    const bytes = readRegularFile(path, LARGEST);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const content = isGzip ? builtin.zlib.gunzipSync(bytes, { maxOutputLength: LARGEST }) : bytes;
    const isTar = content.toString("latin1", 257, 262) === "ustar";
    return isTar || (content[0] === 0x50 && content[1] === 0x4b) ? content : undefined;
  } catch {
    return undefined;
  }
}
