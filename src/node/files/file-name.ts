import { builtin } from "../builtin.ts";

/** A file name, without a suffix, for any id. No two ids share a name. */
export function fileName(id: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,79}$/.test(id)) return id;
  // As JSON: lone surrogates would all hash alike.
  const hash = builtin.crypto.createHash("sha256").update(JSON.stringify(id)).digest("hex").slice(0, 16);
  const readable = id.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 40);
  return `${readable}+${hash}`;
}

/**
 * The same for what every call of a hook writes. The ids of some agents have capital letters, which not every file system
 * tells apart; this says which they are, since a hash would take longer than deciding the call.
 */
export function quickFileName(id: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/.test(id) || id === id.toLowerCase()) return fileName(id);
  const capitals = Array.from(id, (letter) => (letter === letter.toLowerCase() ? "0" : "1")).join("");
  return `${id.toLowerCase()}=${BigInt(`0b1${capitals}`).toString(36)}`;
}
