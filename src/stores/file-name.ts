import { builtin } from "../node/builtin.ts";

/** A file name, without a suffix, for any id. No two ids share a name. */
export function fileName(id: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,79}$/.test(id)) return id;
  // As JSON: lone surrogates would all hash alike.
  const hash = builtin.crypto.createHash("sha256").update(JSON.stringify(id)).digest("hex").slice(0, 16);
  const readable = id.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 40);
  return `${readable}+${hash}`;
}
