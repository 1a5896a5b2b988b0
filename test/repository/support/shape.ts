import { posix } from "node:path";
import type { Sources } from "./architecture.ts";
import { importsOf } from "./imports.ts";

const MOST_FILES_IN_FOLDER = 24;

/** Files that import each other in a ring, type imports included; one sentence for each ring. */
export function rings(sources: Sources): readonly string[] {
  const imports = new Map([...sources].map(([file, source]) => [file, localImports(file, source, sources)]));
  return strongComponents(imports)
    .filter((files) => files.length > 1 || imports.get(files[0] ?? "")?.includes(files[0] ?? ""))
    .map((files) => `These files import each other in a ring: ${files.toSorted().join(", ")}.`)
    .toSorted();
}

/** Folders with too many files directly in them. */
export function crowdedFolders(sources: Sources): readonly string[] {
  const counts = new Map<string, number>();
  for (const file of sources.keys()) {
    const folder = posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES_IN_FOLDER)
    .map(
      ([folder, count]) =>
        `${folder} has ${count} files; ${MOST_FILES_IN_FOLDER} are the most. Give it rooms.`,
    );
}

/** Folders beside each other of which each needs the others. */
export interface FolderRing {
  /** Their paths, in order. */
  readonly folders: readonly string[];
  readonly problem: string;
}

/**
 * Folders in the same folder that import each other, two of them or more in a ring, types included: no reader knows which to
 * read first. The sentence names an import for each arrow between them.
 */
export function folderRings(sources: Sources): readonly FolderRing[] {
  const arrows = new Map<string, Map<string, string>>();
  for (const [file, source] of sources)
    for (const target of localImports(file, source, sources)) {
      const [from, to] = siblings(file, target);
      if (from === undefined || to === undefined) continue;
      const known = arrows.get(from) ?? new Map<string, string>();
      if (!known.has(to)) arrows.set(from, known.set(to, `${file} imports ${target}`));
    }
  return strongComponents(new Map([...arrows].map(([from, known]) => [from, [...known.keys()]])))
    .filter((folders) => folders.length > 1)
    .map((folders): FolderRing => {
      const inOrder = folders.toSorted();
      const imports = inOrder.flatMap((from) => inOrder.flatMap((to) => arrows.get(from)?.get(to) ?? []));
      return {
        folders: inOrder,
        problem: `These folders import each other: ${inOrder.join(", ")}. ${imports.join("; ")}.`,
      };
    })
    .toSorted((one, other) => one.problem.localeCompare(other.problem));
}

/** The folders in which the ways to two files part; none where one of the files is directly in that place. */
function siblings(file: string, target: string): readonly string[] {
  const from = posix.dirname(file).split("/");
  const to = posix.dirname(target).split("/");
  const at = from.findIndex((name, index) => name !== to[index]);
  return at === -1 || at >= to.length ? [] : [from, to].map((path) => path.slice(0, at + 1).join("/"));
}

function localImports(file: string, source: string, sources: Sources): readonly string[] {
  return importsOf(source)
    .map(({ from }) => posix.join(posix.dirname(file), from))
    .filter((target) => sources.has(target));
}

/** Tarjan's algorithm: the groups of files that reach each other, single files included. */
function strongComponents(imports: ReadonlyMap<string, readonly string[]>): readonly string[][] {
  const components: string[][] = [];
  const order = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): number => {
    let low = order.size;
    order.set(file, low);
    stack.push(file);
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === order.get(file)) components.push(stack.splice(stack.indexOf(file)));
    return low;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return components;
}
