import { checkKeys } from "../../core/base/check-options.ts";
import { invalidOption } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { bytesIn, type FilePart, type TextContent } from "../../core/contracts/content.ts";
import { isTextType, mediaTypeOf } from "./media-type.ts";

/** The most bytes of one file: providers refuse larger ones, and transcripts hold them. */
export const MOST_FILE_BYTES = 10_000_000;

const KEYS = {
  text: ["type", "text"],
  image: ["type", "data", "media_type"],
  file: ["type", "data", "media_type", "filename"],
} as const;

/** Enough for the first bytes of a file. */
const HEAD_CHARACTERS = 24;

/** A part as messages hold it. */
export type ReadPart = TextContent | FilePart;

/**
 * Reads the parts of a prompt or of a tool's result.
 *
 * @throws TenterhookError `invalid_option`, `unknown_option`, with the place of the part.
 */
export function readContent(parts: readonly unknown[], place: string): readonly ReadPart[] {
  return parts.map((part, at) => readPart(part, `${place}[${at}]`));
}

function readPart(part: unknown, place: string): ReadPart {
  if (!isRecord(part)) throw invalidOption(`${place} must be an object with a type.`);
  const { type, text } = part;
  if (type !== "text" && type !== "image" && type !== "file")
    throw invalidOption(`${place}: the type is ${JSON.stringify(type)}; it must be text, image or file.`);
  checkKeys(part, KEYS[type], place);
  if (type !== "text") return readFile(part, type, place);
  if (typeof text !== "string") throw invalidOption(`${place}: text is missing; it must be a string.`);
  return { type, text };
}

function readFile(part: Readonly<Record<string, unknown>>, type: "image" | "file", place: string): ReadPart {
  const { data, filename } = part;
  const media_type = optionalText(part, "media_type", place);
  if (media_type !== undefined && !/^[\w.+-]+\/[\w.+*-]+$/.test(media_type))
    throw invalidOption(
      `${place}: media_type is ${JSON.stringify(media_type)}; it must be like "image/png".`,
    );
  const name = filename === undefined ? {} : { filename: optionalText(part, "filename", place) ?? "" };
  const given = located(data, place);
  if ("url" in given) {
    const known = media_type ?? (type === "image" ? "image/*" : undefined);
    if (known === undefined)
      throw invalidOption(`${place}: media_type is missing, and an address does not say it.`);
    return { type: "file", media_type: known, ...name, url: given.url };
  }
  const { base64 } = given;
  if (bytesIn(base64) > MOST_FILE_BYTES)
    throw invalidOption(
      `${place}: the file has ${bytesIn(base64)} bytes; at most ${MOST_FILE_BYTES} are sent.`,
    );
  // What the bytes are counts: providers refuse an image whose type is another one.
  const declared = media_type ?? given.media_type;
  const known =
    declared !== undefined && isTextType(declared)
      ? declared
      : (mediaTypeOf(bytesOf(base64.slice(0, HEAD_CHARACTERS))) ?? declared);
  if (known === undefined)
    throw invalidOption(
      `${place}: media_type is missing, and the first bytes are of no known image or document.`,
    );
  if (isTextType(known)) return { type: "text", text: fileText(bytesOf(base64), name.filename) };
  return { type: "file", media_type: known, ...name, data: base64 };
}

/** A text file as text: every model takes it, hooks see it, and stores remove secrets from it. */
function fileText(bytes: Uint8Array, filename: string | undefined): string {
  const name = filename === undefined ? "" : ` name=${JSON.stringify(filename)}`;
  return `<file${name}>\n${new TextDecoder().decode(bytes)}\n</file>`;
}

type Located = { readonly base64: string; readonly media_type?: string } | { readonly url: string };

function located(data: unknown, place: string): Located {
  if (data === undefined) throw invalidOption(`${place}: data is missing.`);
  if (ArrayBuffer.isView(data))
    return { base64: toBase64(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), place) };
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer)
    return { base64: toBase64(new Uint8Array(data), place) };
  const text = data instanceof URL ? data.href : data;
  if (typeof text !== "string")
    throw invalidOption(`${place}: data must be bytes, base64, or a data: or http(s): address.`);
  if (/^data:/i.test(text)) return dataAddress(text, place);
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return { url: text };
  if (/^[a-z][a-z\d+.-]*:/i.test(text))
    throw invalidOption(`${place}: data is an address that is not sent; read the file and give its bytes.`);
  return { base64: checkedBase64(text, place) };
}

function dataAddress(address: string, place: string): Located {
  const comma = address.indexOf(",");
  const [media_type = "", ...options] = address.slice(5, Math.max(5, comma)).split(";");
  if (comma === -1 || !options.includes("base64"))
    throw invalidOption(`${place}: data is a data: address without base64; give its bytes.`);
  const base64 = checkedBase64(address.slice(comma + 1), place);
  return media_type === "" ? { base64 } : { base64, media_type };
}

/** Base64 in its usual alphabet, with padding. */
function checkedBase64(given: string, place: string): string {
  const text = given.trim().replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(text))
    throw invalidOption(
      `${place}: data is neither base64 nor an address. For a file, read it and give its bytes.`,
    );
  const whole = text.replace(/=+$/, "");
  return whole.padEnd(Math.ceil(whole.length / 4) * 4, "=");
}

/** As many bytes as a call takes as its arguments; three bytes are four characters. */
const CHUNK_BYTES = 3 * 8192;

function toBase64(bytes: Uint8Array, place: string): string {
  if (bytes.length > MOST_FILE_BYTES)
    throw invalidOption(`${place}: the file has ${bytes.length} bytes; at most ${MOST_FILE_BYTES} are sent.`);
  let base64 = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    base64 += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES)));
  return base64;
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function optionalText(
  part: Readonly<Record<string, unknown>>,
  key: "media_type" | "filename",
  place: string,
): string | undefined {
  const value = part[key];
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw invalidOption(`${place}: ${key} must be a string that is not empty.`);
}
