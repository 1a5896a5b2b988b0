import type { Dirent } from "node:fs";
import { basename, join, relative } from "node:path";
import { compileGlob } from "../../core/match/glob.ts";
import { builtin } from "../../node/builtin.ts";
import { nodePaths } from "../../node/ports.ts";
import type { ShellExcept } from "../../rules/shell/analysis.ts";
import { isThrowAway } from "../../rules/shell/judge/throw-away.ts";

/** A file or folder by its path and, when a link is on the way, by its target. */
export type FoundFile = readonly string[];

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** False when there is more than was searched, or a folder that can't be listed. */
  readonly complete: boolean;
}

/** Everything at and below a path, except what a command skips that walks a folder at or above it. */
export type FilesBelow = (path: string, from: string, except: readonly ShellExcept[]) => FoundFiles;

/** The limit for one decision: more would be noticeable. */
const MOST_ENTRIES = 10_000;
/** The limit in output of tools. */
const MOST_MADE = 1_000;

/**
 * Searches folders of this machine, the nearest first; it follows links and visits each folder once. Output of tools
 * (`node_modules`, `dist`) comes last, and counts as searched when there is too much of it.
 */
export function nodeFilesBelow(most = MOST_ENTRIES): FilesBelow {
  return (path, from, except) => {
    const isSkipped = compileExcept(except, from);
    const found = entryAt(path);
    const isHidden = stepsBetween(from, path).some((step) => isSkipped(step, found?.isFolder === true));
    if (found === undefined || isHidden) return { files: [], complete: true };
    const files: FoundFile[] = [found.names];
    const visited = new Set<string>();
    const own: Folder[] = [];
    const made: Folder[] = [];
    const enter = (folder: string, real: string, isMade: boolean): void => {
      if (visited.has(real)) return;
      visited.add(real);
      (isMade ? made : own).push({ path: folder, isMade });
    };
    // The folder itself may be called `build` and still be a project.
    if (found.isFolder) enter(path, found.names.at(-1) ?? path, false);
    let complete = true;
    let seenMade = 0;
    for (let folder = own.shift() ?? made.shift(); folder; folder = own.shift() ?? made.shift()) {
      const entries = entriesOf(folder.path);
      if (entries === undefined) complete = false;
      for (const entry of entries ?? []) {
        const at = join(folder.path, entry.name);
        const linked = entry.isSymbolicLink() ? entryAt(at) : undefined;
        const isFolder = linked?.isFolder ?? entry.isDirectory();
        if (isSkipped(at, isFolder)) continue;
        if (files.length >= most || seenMade >= MOST_MADE)
          return { files, complete: complete && folder.isMade };
        files.push(linked?.names ?? [at]);
        if (folder.isMade) seenMade += 1;
        if (isFolder) enter(at, linked?.names.at(-1) ?? at, folder.isMade || isThrowAway(entry.name));
      }
    }
    return { files, complete };
  };
}

interface Folder {
  readonly path: string;
  /** It is output of a tool, or in such a folder. */
  readonly isMade: boolean;
}

function entryAt(path: string): { readonly names: FoundFile; readonly isFolder: boolean } | undefined {
  try {
    const found = builtin.fs.statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return { names: nodePaths.spellings(path, "/"), isFolder: found.isDirectory() };
  } catch {
    // It may still be a folder; then it can't be listed, which is reported.
    return { names: [path], isFolder: true };
  }
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return builtin.fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function stepsBetween(from: string, path: string): readonly string[] {
  const names = relative(from, path)
    .split("/")
    .filter((name) => name !== "");
  return names.map((_, index) => join(from, ...names.slice(0, index + 1)));
}

function compileExcept(
  except: readonly ShellExcept[],
  from: string,
): (path: string, isFolder: boolean) => boolean {
  const tests = except.flatMap(({ glob, of }) => {
    const test = compileName(glob.replace(/^(?:\.\/|\*\*\/)+|\/(?:\*\*)?$/g, ""));
    return test === undefined ? [] : [{ test, of }];
  });
  if (tests.length === 0) return () => false;
  return (path, isFolder) =>
    tests.some(
      ({ test, of }) =>
        of !== (isFolder ? "files" : "folders") && (test(basename(path)) || test(relative(from, path))),
    );
}

/** A glob that can't be read skips nothing. */
function compileName(glob: string): ((name: string) => boolean) | undefined {
  try {
    return compileGlob(glob, { kind: "text" });
  } catch {
    return undefined;
  }
}
