import { readPath } from "./values.ts";

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm;
const TEXT_FIELDS = ["input", "patch", "patch_text", "patchText", "diff", "content"] as const;

/** A file a patch names, and whether its old content matters to the patch. */
export interface PatchedFile {
  readonly path: string;
  readonly reads: boolean;
}

/** The files an `apply_patch` text names, in its order. */
export function patchedFiles(text: string): readonly PatchedFile[] {
  return Array.from(text.matchAll(HEADER), ([, verb, path = ""]) => ({
    path: path.trim(),
    reads: verb === "Update File",
  }));
}

/** The text of a patch inside a tool's input, wherever agents put it. */
export function patchTextOf(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  for (const field of TEXT_FIELDS) {
    const text = readPath(input, [field]);
    if (typeof text === "string" && text.includes("*** ")) return text;
  }
  return undefined;
}
