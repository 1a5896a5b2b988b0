import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { frontMatter } from "../../node/files/front-matter.ts";
import { readRegularFile } from "../../node/files/regular-file.ts";
import { sha256 } from "../inputs/digest.ts";

/** Hooks in the front matter of a skill or of a kind of subagent. */
export interface OwnedHooks {
  /** Its real path. */
  readonly file: string;
  /** The digest of what was read of it: what is trusted must be what was read, whatever becomes of the file meanwhile. */
  readonly value: string;
  /** As written: a list of definitions, or hooks by event, as Claude Code has them. */
  readonly hooks: unknown;
}

/** Where a workspace has skills and kinds of subagents; the first wins. */
export const OWNER_FOLDERS = [".tenterhook", ".claude"] as const;

export const MOST_OWNER_FILES = 200;
const MOST_BYTES = 200_000;

/**
 * Reads the file of a skill or of a kind of subagent.
 *
 * @throws Error as `readRegularFile` does.
 */
export function readOwner(path: string): Omit<OwnedHooks, "hooks"> & { readonly text: string } {
  const file = realpathSync.native(path);
  const bytes = readRegularFile(file, MOST_BYTES);
  return { file, value: sha256(bytes), text: bytes.toString("utf8") };
}

/** The skills and kinds of subagents of a workspace that have hooks, for a review. Files that can't be read have none. */
export function findOwnedHooks(cwd: string): readonly OwnedHooks[] {
  return OWNER_FOLDERS.flatMap((folder) => [
    ...namesIn(join(cwd, folder, "agents")).filter((file) => file.endsWith(".md")),
    ...namesIn(join(cwd, folder, "skills")).map((skill) => join(skill, "SKILL.md")),
  ]).flatMap((path) => {
    try {
      const { text, ...owner } = readOwner(path);
      const { hooks } = frontMatter(text).front;
      return hooks === undefined ? [] : [{ ...owner, hooks }];
    } catch {
      return [];
    }
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .sort()
      .slice(0, MOST_OWNER_FILES)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
