/** What files begin with that are no text. */
const SIGNATURES: readonly (readonly [bytes: string, name: string])[] = [
  ["\x89PNG", "a PNG image"],
  ["\xff\xd8\xff", "a JPEG image"],
  ["GIF8", "a GIF image"],
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive"],
  ["\x1f\x8b", "a gzip file"],
  ["\x7fELF", "a program"],
  ["\xff\xfe", "UTF-16 text"],
  ["\xfe\xff", "UTF-16 text"],
];

/** What a file that is no text is, by its first bytes; nothing for text. A NUL byte anywhere in them means binary. */
export function describeBinary(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 16);
  const [, name] = SIGNATURES.find(([signature]) => head.startsWith(signature)) ?? [];
  if (name !== undefined) return name;
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "a WebP image";
  return bytes.includes(0) ? "a binary file" : undefined;
}
