import type { PathNormaliser } from "../core/match/paths.ts";
import type { Spill } from "../core/ports.ts";
import { type FileView, fileRulePorts, pathsOf } from "../shared/system/file-view.ts";
import { builtin } from "./builtin.ts";
import { makeFolders, tidy } from "./files/folders.ts";
import { SYSTEM } from "./system.ts";
import { systemCode } from "./system-code.ts";
import { homeFolder, stateFolder } from "./user-folders.ts";

/* What the engine and the rules need of this machine: its paths, its files, and a place for long texts. */

/** The file system of this machine. */
export const nodeFiles: FileView = {
  get syntax() {
    return builtin.path;
  },
  get home() {
    return homeFolder();
  },
  entryAt(path) {
    const { lstatSync, readlinkSync } = builtin.fs;
    // Most parts are not links, and lstat is much cheaper than an exception of readlink.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (found.isSymbolicLink()) return { is: "link", to: readlinkSync(path) };
    return found.isDirectory() ? FOLDER : { is: "file", empty: found.size === 0 };
  },
  trueSpelling(path) {
    if (!SYSTEM.ignoresCase) return path;
    try {
      return builtin.fs.realpathSync.native(path);
    } catch {
      return path;
    }
  },
};

const FOLDER = { is: "folder" } as const;

export const nodePaths: PathNormaliser = pathsOf(nodeFiles);

/** A call waits while files are looked for. */
const MOST_FILES = 500;

const fileSystem = fileRulePorts(nodeFiles);

/** What rules need from this machine. */
export const nodeRulePorts = {
  normalisePath: fileSystem.normalisePath,
  holdsData: fileSystem.holdsData,
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
};

/** The same for a call of another process, whose environment this is. */
export function rulePortsFor(environment: NodeJS.ProcessEnv): typeof nodeRulePorts {
  return { ...nodeRulePorts, environment };
}

const KEPT = {
  milliseconds: 7 * 24 * 60 * 60 * 1000,
  bytes: Number.POSITIVE_INFINITY,
  concerns: (name: string) => name.endsWith(".txt"),
};

/**
 * Stores long texts in files that only this user can read, for a week. Returns `undefined` when nothing can be written.
 */
export function fileSpill(folder = (): string => builtin.path.join(stateFolder(), "context")): Spill {
  return (text, { hook, event_id }) => {
    try {
      const directory = folder();
      makeFolders(directory);
      tidy(directory, KEPT);
      return writeNew(directory, `${event_id}-${hook.replaceAll(/[^\w.-]/g, "_").slice(0, 60)}`, text);
    } catch {
      return undefined;
    }
  };
}

/** One hook may store several texts on one event. */
function writeNew(directory: string, name: string, text: string): string {
  for (let number = 1; ; number += 1) {
    const path = builtin.path.join(directory, `${name}${number === 1 ? "" : `-${number}`}.txt`);
    try {
      builtin.fs.writeFileSync(path, text, { mode: 0o600, flag: "wx" });
      return path;
    } catch (error) {
      if (systemCode(error) !== "EEXIST" || number > 1000) throw error;
    }
  }
}
