import type { PathNormaliser } from "../../core/match/paths.ts";
import type { FilesBelow, FoundFiles } from "./files-below.ts";

/** Paths that are looked up once for each decision, however many rules ask. */
export interface RememberedPaths extends PathNormaliser {
  /** Forgets everything: files and links may change between two decisions. */
  forget(): void;
}

/** Remembers what a normaliser says. */
export function rememberedPaths(paths: PathNormaliser): RememberedPaths {
  const known = new Map<string, readonly string[]>();
  return {
    spellings: (path, cwd) => {
      const key = `${cwd}\0${path}`;
      let found = known.get(key);
      if (found === undefined) {
        found = paths.spellings(path, cwd);
        known.set(key, found);
      }
      return found;
    },
    forget: () => known.clear(),
  };
}

/** Folders that are looked through once for each decision. */
export interface RememberedFiles {
  readonly below: FilesBelow;
  /** Forgets everything, for the next decision. */
  forget(): void;
}

/** Remembers what was found below folders. */
export function rememberedFiles(filesBelow: FilesBelow): RememberedFiles {
  const known = new Map<string, FoundFiles>();
  return {
    below: (path, from, except) => {
      const key = JSON.stringify([path, from, except]);
      const found = known.get(key) ?? filesBelow(path, from, except);
      known.set(key, found);
      return found;
    },
    forget: () => known.clear(),
  };
}
