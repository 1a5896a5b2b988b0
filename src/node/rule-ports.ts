import { builtin } from "./builtin.ts";
import { nodePaths } from "./paths.ts";
import { homeFolder } from "./user-folders.ts";

/** A call waits while files are looked for. */
const MOST_FILES = 500;

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
  /** Goes into linked folders too; a loop of links is more than can be looked at. */
  everythingIn(path: string): readonly string[] | undefined {
    const { readdirSync, statSync } = builtin.fs;
    try {
      const start = statSync(path, { throwIfNoEntry: false });
      if (start === undefined) return [];
      const found = [path];
      const folders = start.isDirectory() ? [path] : [];
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
        for (const entry of readdirSync(folder, { withFileTypes: true })) {
          if (found.length >= MOST_FILES) return undefined;
          const at = `${folder}/${entry.name}`;
          found.push(at);
          const target = entry.isSymbolicLink() ? statSync(at, { throwIfNoEntry: false }) : entry;
          if (target?.isDirectory() === true) folders.push(at);
        }
      return found;
    } catch {
      return undefined;
    }
  },
  get environment(): NodeJS.ProcessEnv {
    return process.env;
  },
  /** What can't be looked at counts as there. */
  holdsData(path: string, cwd: string): boolean {
    const [lexical = path] = nodePaths.spellings(path, cwd);
    try {
      const found = builtin.fs.lstatSync(lexical, { throwIfNoEntry: false });
      return found !== undefined && !found.isSymbolicLink() && (found.isDirectory() || found.size > 0);
    } catch {
      return true;
    }
  },
};

/** The same for a call of another process, whose environment this is. */
export function rulePortsFor(environment: NodeJS.ProcessEnv): typeof nodeRulePorts {
  return { ...nodeRulePorts, environment };
}
