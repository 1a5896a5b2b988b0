/**
 * A checksum that shows whether bytes were damaged; a change within four bytes always shows. It says nothing about who
 * wrote them; the owner and the mode of the file do. Loading `node:zlib` or `node:crypto` would take longer than
 * deciding most events, and four bytes at a time are quick without them.
 */
export function checksum(content: string | Uint8Array): string {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const words = new Int32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  const sum = words.reduce(mixed, bytes.length);
  return (sum >>> 0).toString(16).padStart(8, "0");
}

/** Each step can be undone, so two sums that differ stay different while the same words follow. */
function mixed(sum: number, word: number): number {
  return Math.imul(((sum << 5) | (sum >>> 27)) ^ word, 0x9e3779b1);
}
