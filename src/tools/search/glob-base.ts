import { compileGlob, compilePathGlob } from "../../core/match/glob.ts";

const SPECIAL = /[*?[\]{}\\]/;

/** A glob split into the folder it starts from and what names below that folder must fit. */
export interface GlobSearch {
  /** As far as the pattern is plain; may be empty, absolute or lead up. */
  readonly base: string;
  readonly fits: (name: string) => boolean;
  /** How many folders deep a name that fits can be; nothing when there is no end. */
  readonly depth?: number;
}

/**
 * Prepares a glob for a walk. A pattern without a slash fits names at any depth.
 *
 * @throws TenterhookError `bad_pattern`.
 */
export function globSearch(pattern: string): GlobSearch {
  if (!pattern.includes("/")) return { base: "", fits: compilePathGlob(pattern) };
  const parts = pattern.split("/");
  let plain = 0;
  while (plain < parts.length - 1 && !SPECIAL.test(parts[plain] ?? "")) plain += 1;
  const rest = parts.slice(plain).join("/");
  const base = parts.slice(0, plain).join("/") || (pattern.startsWith("/") ? "/" : "");
  const depth = rest.includes("**") ? {} : { depth: rest.split("/").length - 1 };
  return { base, fits: compileGlob(rest, { kind: "path" }), ...depth };
}
