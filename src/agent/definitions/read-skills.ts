import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { MOST_OWNER_FILES, OWNER_FOLDERS, readOwner } from "../../config/find/owned-hooks.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { configFolder, homeFolder } from "../../node/user-folders.ts";
import type { OwnHooks, Skill } from "./skill.ts";

/** The keys of a skill. Those of Claude Code that say how it shows or runs one there mean nothing here. */
const KEYS = [
  "name",
  "description",
  "hooks",
  "disable-model-invocation",
  "allowed-tools",
  "argument-hint",
  "license",
  "compatibility",
  "metadata",
  "version",
];

interface SkillsFolder {
  readonly folder: string;
  readonly owner: OwnHooks["owner"];
  /** Written for us: a key that nobody reads is a mistake. */
  readonly own: boolean;
}

/** The folders of skills. The user's come first: a project must not replace what the user knows by name. */
function skillFolders(cwd: string, environment: NodeJS.ProcessEnv): readonly SkillsFolder[] {
  return [
    { folder: join(configFolder(environment), "skills"), owner: "user", own: true },
    { folder: join(homeFolder(environment), ".claude", "skills"), owner: "user", own: false },
    ...OWNER_FOLDERS.map((name) => ({
      folder: join(cwd, name, "skills"),
      owner: "project" as const,
      own: name === ".tenterhook",
    })),
  ];
}

/**
 * The skills of the user and of a workspace: folders with a `SKILL.md`. One that can't be used has a problem, which is
 * reported when it is wanted. Of two with the same name, the first counts.
 *
 * @throws the reason of the signal when that is aborted.
 */
export async function readSkills(
  cwd: string,
  environment: NodeJS.ProcessEnv = process.env,
  signal?: AbortSignal,
): Promise<readonly Skill[]> {
  const found = new Map<string, Skill>();
  const seen = new Set<string>();
  for (const place of skillFolders(cwd, environment)) {
    // A workspace may be the home folder itself.
    if (seen.has(place.folder)) continue;
    seen.add(place.folder);
    for (const name of namesIn(place.folder)) {
      signal?.throwIfAborted();
      const skill = await readSkill(join(place.folder, name), name, place, cwd);
      if (!found.has(skill.name)) found.set(skill.name, skill);
    }
  }
  return [...found.values()];
}

function namesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "SKILL.md")));
    return names.sort().slice(0, MOST_OWNER_FILES);
  } catch {
    return [];
  }
}

async function readSkill(
  written: string,
  folderName: string,
  { owner, own }: SkillsFolder,
  cwd: string,
): Promise<Skill> {
  try {
    const { file, text, value } = readOwner(join(written, "SKILL.md"));
    const folder = realpathSync(written);
    if (dirname(file) !== folder) throw new Error("it is a link that leads out of its folder");
    if (owner === "project" && !folder.startsWith(realpathSync(cwd) + sep))
      throw new Error("its folder is a link that leads out of the workspace");
    const { frontMatter } = await import("../../node/files/front-matter.ts");
    const { front, body, placeOf } = frontMatter(text);
    const unknown = own ? Object.keys(front).find((key) => !KEYS.includes(key)) : undefined;
    if (unknown !== undefined)
      throw new Error(
        `${placeOf(unknown)}the key ${JSON.stringify(unknown)} is not known.${didYouMean(unknown, KEYS)}`,
      );
    const { name = folderName, description = "", hooks } = front;
    if (typeof name !== "string" || !/^[\p{L}\p{N}][\p{L}\p{N} ._:-]{0,99}$/u.test(name))
      throw new Error("its name must be letters, digits, and . _ : - or spaces between them");
    if (typeof description !== "string") throw new Error("its description must be a text");
    const root = owner === "project" ? realpathSync(cwd) : folder;
    return {
      name,
      description,
      folder,
      body: body.trim(),
      ...(front["disable-model-invocation"] === true ? { by_user_only: true } : {}),
      ...(hooks === undefined || hooks === null
        ? {}
        : { hooks: { kind: "skill", name, file, value, hooks, owner, root } }),
    };
  } catch (error) {
    return { name: folderName, description: "", folder: written, body: "", problem: errorMessage(error) };
  }
}
