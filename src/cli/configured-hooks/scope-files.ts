import { existsSync } from "node:fs";
import { join } from "node:path";
import { configFolder } from "../../node/user-folders.ts";

/** The scopes a user can change. */
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
  const there = SUFFIXES.map((suffix) => join(folder, `${stem}${suffix}`)).find((file) => existsSync(file));
  return there ?? join(folder, `${stem}.yaml`);
}

export function isChangeable(scope: string | undefined): scope is ChangeableScope {
  return CHANGEABLE.some((one) => one === scope);
}
