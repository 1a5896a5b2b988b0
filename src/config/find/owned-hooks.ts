import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { frontMatter } from "../../node/files/front-matter.ts";
import { regularText } from "../../node/files/regular-file.ts";

/** Hooks in the front matter of a skill or of a kind of subagent. */
export interface OwnedHooks {
  /** Its real path. */
  readonly file: string;
  /** As written: a list of definitions, or hooks by event, as Claude Code has them. */
  readonly hooks: unknown;
}

/** Where a workspace has skills and kinds of subagents; the first wins. */
export const OWNER_FOLDERS = [".tenterhook", ".claude"] as const;

export const MOST_OWNER_FILES = 200;
export const MOST_OWNER_BYTES = 200_000;

/** The skills and kinds of subagents of a workspace that have hooks, for a review. Files that can't be read have none. */
export function findOwnedHooks(cwd: string): readonly OwnedHooks[] {
  return OWNER_FOLDERS.flatMap((folder) => [
    ...namesIn(join(cwd, folder, "agents")).filter((file) => file.endsWith(".md")),
    ...namesIn(join(cwd, folder, "skills")).map((skill) => join(skill, "SKILL.md")),
  ]).flatMap((path) => {
    try {
      const file = realpathSync(path);
      const { hooks } = frontMatter(regularText(file, MOST_OWNER_BYTES) ?? "").front;
      return hooks === undefined ? [] : [{ file, hooks }];
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
