import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ToolContext } from "../../../core/contracts/tool.ts";
import { missingFile } from "../files/open-file.ts";
import { type Place, placeToRead } from "../files/workspace.ts";
import { failed } from "../input.ts";

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the folder, with `/`. */
  readonly name: string;
}

export interface WalkOptions {
  readonly signal: AbortSignal;
  /** Names of folders to skip. */
  readonly ignored: ReadonlySet<string>;
  /** How deep to go; 0 is the folder itself. Default: no limit. */
  readonly depth?: number;
  /** Include symbolic links to files; they are never followed. */
  readonly links?: boolean;
}

/** Folders that are skipped unless they are named. */
const SELDOM_MEANT = [".git", "node_modules"];

/** The folders to skip, without those that a pattern or a path names. */
export function ignoredFolders(...named: readonly string[]): ReadonlySet<string> {
  const parts = new Set(named.flatMap((text) => text.split("/")));
  return new Set(SELDOM_MEANT.filter((name) => !parts.has(name)));
}

const MOST_ENTRIES = 500_000;

/**
 * The files below a folder, by name, folder by folder. Never follows links, so that it ends and stays inside. Skips
 * what can't be read.
 *
 * @throws TenterhookError `tool_failed` when there are too many entries.
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<FoundFile> {
  const { signal, ignored, depth = Number.POSITIVE_INFINITY, links = false } = options;
  const folders = [{ path: root, name: "", level: 0 }];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const found = await entriesOf(folder.path);
    entries += found.length;
    if (entries > MOST_ENTRIES)
      throw failed(`There are more than ${MOST_ENTRIES} files; name a folder below.`);
    const below: typeof folders = [];
    for (const entry of found) {
      const name = folder.name === "" ? entry.name : `${folder.name}/${entry.name}`;
      const path = join(folder.path, entry.name);
      if (entry.isDirectory()) {
        const wanted = folder.level < depth && !ignored.has(entry.name);
        if (wanted) below.push({ path, name, level: folder.level + 1 });
      } else if (entry.isFile() || (links && entry.isSymbolicLink())) yield { path, name };
    }
    folders.push(...below.reverse());
  }
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}

const TOGETHER = 32;

/** Sorts files by time, the newest first, then by name. */
export async function newestFirst<File extends FoundFile>(
  files: readonly File[],
  signal: AbortSignal,
): Promise<readonly File[]> {
  const timed: { readonly file: File; readonly time: number }[] = [];
  for (let at = 0; at < files.length; at += TOGETHER) {
    signal.throwIfAborted();
    timed.push(...(await Promise.all(files.slice(at, at + TOGETHER).map(withTime))));
  }
  timed.sort((one, other) => other.time - one.time || (one.file.name < other.file.name ? -1 : 1));
  return timed.map(({ file }) => file);
}

async function withTime<File extends FoundFile>(file: File) {
  try {
    return { file, time: (await lstat(file.path)).mtimeMs };
  } catch {
    return { file, time: 0 };
  }
}

/** Where a search starts: a folder or one file. Throws when there is neither. */
export async function searchRoot(
  path: string,
  context: ToolContext,
): Promise<{ readonly place: Place; readonly isFolder: boolean }> {
  const place = placeToRead(path, context);
  try {
    return { place, isFolder: (await stat(place.real)).isDirectory() };
  } catch (error) {
    throw failed(await missingFile(place), error);
  }
}
