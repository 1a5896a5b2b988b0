import { dirname } from "node:path";
import { builtin } from "../../node/builtin.ts";

/** What the system knows a file by, whatever names it has: two names of one file have the same id. */
export interface FileId {
  readonly id: string;
  readonly isFolder: boolean;
  /** It has several names in the file system. */
  readonly linked: boolean;
}

export type FindFileId = (path: string) => FileId | undefined;

export function nodeFileId(path: string): FileId | undefined {
  try {
    const found = builtin.fs.statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const isFolder = found.isDirectory();
    return { id: `${found.dev}:${found.ino}`, isFolder, linked: !isFolder && found.nlink > 1 };
  } catch {
    return undefined;
  }
}

/**
 * The names that a path has because a folder on its way is also at another place, as a mount makes it: with that place
 * instead, for each of the places that is the same folder or file.
 */
export function namesElsewhere(
  path: string,
  places: readonly string[],
  fileId: FindFileId,
): readonly string[] {
  const known = places.flatMap((place) => {
    const id = fileId(place)?.id;
    return id === undefined || `${path}/`.startsWith(`${place}/`) ? [] : [{ place, id }];
  });
  if (known.length === 0) return [];
  const names: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const id = fileId(at)?.id;
    for (const { place, id: other } of known) if (id === other) names.push(place + path.slice(at.length));
    if (at === dirname(at)) return names;
  }
}
