/**
 * A checksum that shows whether bytes were damaged. It says nothing about who wrote them; the owner and the mode of the
 * file do. Loading `node:crypto` for a digest would take longer than deciding most events.
 */
export function checksum(content: string | Uint8Array): string {
  const { crc32 } = process.getBuiltinModule("node:zlib");
  return crc32(content).toString(16).padStart(8, "0");
}
