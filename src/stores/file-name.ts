import { builtin } from "../node/builtin.ts";

/** A file name, without a suffix, for an id from outside. Whatever the id, it is a plain name that no other id has. */
export function fileName(id: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,79}$/.test(id)) return id;
  // As JSON, since halves of characters would all be hashed alike.
  const hash = builtin.crypto.createHash("sha256").update(JSON.stringify(id)).digest("hex").slice(0, 16);
  const readable = id.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 40);
  return `${readable}+${hash}`;
}
