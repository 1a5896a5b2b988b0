import { nodePaths } from "./paths.ts";
import { homeFolder } from "./user-folders.ts";

/** What rules need from this machine. */
export const nodeRulePorts = {
  /** Resolves symbolic links. */
  normalisePath(path: string, cwd: string): string {
    const spellings = nodePaths.spellings(path, cwd);
    return spellings[spellings.length - 1] ?? path;
  },
  get home(): string {
    return homeFolder();
  },
};
