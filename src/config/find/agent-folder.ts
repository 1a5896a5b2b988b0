import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** The file in a folder that names programs around a turn. */
export function agentFileIn(folder: string): string {
  return join(folder, ".agent", "hook.toml");
}

/**
 * The nearest folder upwards with an `.agent/hook.toml`, up to the root of the repository, as projects are found; links
 * followed. Asked at every turn, and mostly in vain: waiting for the answer would cost twenty times as much.
 *
 * @param see is called with each path before it is read.
 */
export function agentFolderOf(cwd: string, see: (file: string) => void = () => {}): string | undefined {
  for (let folder = realpathSync(cwd); ; folder = dirname(folder)) {
    const file = agentFileIn(folder);
    see(file);
    if (isThere(file)) return folder;
    if (dirname(folder) === folder || isThere(join(folder, ".git"))) return undefined;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
