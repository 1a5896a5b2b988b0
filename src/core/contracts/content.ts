/** Bytes, base64, a `data:` address, or an `http(s):` address that the provider fetches. */
export type FileData = Uint8Array | ArrayBufferLike | URL | string;

/** Text for the model. */
export interface TextContent {
  readonly type: "text";
  readonly text: string;
}

/** An image for the model. PNG, JPEG, GIF and WebP are recognised by their bytes. */
export interface ImageContent {
  readonly type: "image";
  readonly data: FileData;
  /** Such as `image/png`. Not needed when the data says it. */
  readonly media_type?: string;
}

/** A file for the model: a PDF document, audio, an image. A text file becomes text. */
export interface FileContent {
  readonly type: "file";
  readonly data: FileData;
  /** Such as `application/pdf`. Not needed when the data says it. */
  readonly media_type?: string;
  readonly filename?: string;
}

/** A part of a prompt or of a tool's result. */
export type ContentPart = TextContent | ImageContent | FileContent;

/** An image or file as messages and transcripts hold it: with its data in base64, or with its address. */
export interface FilePart {
  readonly type: "file";
  /** `image/*` for the address of an image whose type is not known. */
  readonly media_type: string;
  readonly filename?: string;
  /** Base64. */
  readonly data?: string;
  readonly url?: string;
}

/** An image or file as hooks see it: what it is, without its bytes. */
export interface Attachment {
  readonly media_type: string;
  readonly filename?: string;
  readonly bytes?: number;
  readonly url?: string;
}

/** How many bytes a text in base64 encodes. */
export function bytesIn(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

export function attachmentOf({ media_type, filename, data, url }: FilePart): Attachment {
  return {
    media_type,
    filename,
    ...(data === undefined ? {} : { bytes: bytesIn(data) }),
    url,
  };
}

/**
 * A file in words, where the file itself can't be: `[image/png of 120 bytes]`.
 *
 * @param why why it is not there.
 */
export function fileMark(file: FilePart, why?: string): string {
  const { media_type, filename, bytes, url } = attachmentOf(file);
  const kind = media_type === "image/*" ? "image" : media_type;
  const name = filename === undefined ? kind : `${filename}, ${kind}`;
  const where = url === undefined ? ` of ${bytes ?? 0} bytes` : ` at ${url}`;
  return `[${name}${where}${why === undefined ? "" : `, left out: ${why}`}]`;
}

/** True for a part that has the fields of a file. */
export function isFilePart<Part extends Readonly<Record<string, unknown>>>(
  part: Part,
): part is Part & FilePart {
  if (part.type !== "file") return false;
  const { media_type, data, url, filename } = part;
  return (
    typeof media_type === "string" &&
    (typeof data === "string"
      ? url === undefined
      : data === undefined && typeof url === "string" && URL.canParse(url)) &&
    (filename === undefined || typeof filename === "string")
  );
}
