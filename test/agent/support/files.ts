/** A PNG image of one pixel, in base64. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The beginning of a JPEG image, in base64. */
export const JPEG = Buffer.from("\xff\xd8\xff\xe0\x00\x10JFIF\x00", "latin1").toString("base64");

/** A PDF document, in base64. */
export const PDF = Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64");

/** How many bytes a base64 text stands for. */
export function bytesIn(base64: string): number {
  return Buffer.from(base64, "base64").length;
}

/** The bytes of a base64 text. */
export function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}
