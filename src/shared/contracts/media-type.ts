/** How files of known types begin, as Latin-1 text. */
const BEGINNINGS: readonly (readonly [start: string, media_type: string])[] = [
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["%PDF-", "application/pdf"],
  ["ID3", "audio/mpeg"],
];

const RIFF: Readonly<Record<string, string>> = { WEBP: "image/webp", WAVE: "audio/wav" };

/** The media type of a file that providers take, by its first bytes; `undefined` for others. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith("RIFF")) return RIFF[head.slice(8, 12)];
  return BEGINNINGS.find(([start]) => head.startsWith(start))?.[1];
}

/** True for a type whose files are text. */
export function isTextType(media_type: string): boolean {
  return /^(?:text\/|application\/(?:json|xml|yaml|toml|javascript|x-sh|x-yaml)\b)|\+(?:json|xml)$/i.test(
    media_type,
  );
}
