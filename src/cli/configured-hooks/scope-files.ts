import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { TenterhookError } from "../../core/base/errors.ts";
import { isInside, realPath } from "../../node/files/real-path.ts";
import { configFolder } from "../../node/user-folders.ts";

export const CHANGEABLE = ["local", "project", "user"] as const;

export type ChangeableScope = (typeof CHANGEABLE)[number];

const SUFFIXES = [".yaml", ".yml", ".json", ".jsonc", ".toml"];

/** The configuration file of a scope: the existing one, else the default. */
export function scopeFile(
  scope: ChangeableScope,
  projectRoot: string,
  environment: NodeJS.ProcessEnv,
): string {
  const folder = scope === "user" ? configFolder(environment) : join(projectRoot, ".tenterhook");
  const stem = scope === "local" ? "hooks.local" : "hooks";
  return existingFile(folder, stem) ?? join(folder, `${stem}.yaml`);
}

/** The configuration file of this name in a folder, whatever its format. */
export function existingFile(folder: string, stem: string): string | undefined {
  return SUFFIXES.map((suffix) => join(folder, `${stem}${suffix}`)).find((file) => existsSync(file));
}

/**
 * Ensures that a file is inside the project: a repository may contain links to any file of the user's. For a missing file
 * its nearest existing parent counts.
 *
 * @throws TenterhookError `write_failed` with the file's real path.
 */
export function mustStayInside(project: string, file: string): void {
  const root = realPath(project);
  let existing = file;
  while (realPath(existing) === undefined && existing !== dirname(existing)) existing = dirname(existing);
  const real = realPath(existing) ?? existing;
  if (root !== undefined && isInside(real, root)) return;
  throw new TenterhookError(
    "write_failed",
    `${file} leads out of the project, to ${real}; nothing was written.`,
    { hint: "Replace the link by a file, or edit its target yourself." },
  );
}
