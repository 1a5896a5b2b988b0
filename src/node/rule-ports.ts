import { nodePaths } from "./paths.ts";
import { homeFolder } from "./user-folders.ts";

/** What rules need of this machine. */
export const nodeRulePorts = {
  /** The path with links followed. */
  normalisePath(path: string, cwd: string): string {
    const spellings = nodePaths.spellings(path, cwd);
    return spellings[spellings.length - 1] ?? path;
  },
  get home(): string {
    return homeFolder();
  },
};
