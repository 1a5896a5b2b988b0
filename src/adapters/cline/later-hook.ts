import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "../../node/user-folders.ts";
import { OWNED_MARK } from "../settings/installed-texts.ts";

/** The names that a hook before a call can have. */
const BEFORE_A_CALL = /^pretooluse(?:\.(?:sh|bash|zsh|js|mjs|cjs|ts|mts|cts|py|ps1))?$/i;

/**
 * Somebody else's hook that Cline runs after ours: another input that it gives replaces ours, also the one that refuses.
 * Cline runs the hooks of all folders in the order of their paths. Never throws.
 */
export function laterHook(root: string, environment: NodeJS.ProcessEnv): string | undefined {
  const home = homeFolder(environment);
  const last = [
    join(home, "Documents", "Cline", "Hooks"),
    join(environment.CLINE_DIR ?? join(home, ".cline"), "hooks"),
    join(root, ".clinerules", "hooks"),
    join(root, ".cline", "hooks"),
  ]
    .flatMap(hooksIn)
    .sort((one, other) => one.localeCompare(other))
    .at(-1);
  return last === undefined || isOurs(last) ? undefined : last;
}

function hooksIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && BEFORE_A_CALL.test(entry.name))
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

function isOurs(file: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(OWNED_MARK);
  } catch {
    return false;
  }
}
