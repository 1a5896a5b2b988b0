import { compilePathGlob } from "../../core/match/glob.ts";
import { hasWildcard } from "../../rules/fields/glob-overlap.ts";
import type { ShellReach } from "../../rules/shell/analysis.ts";
import { isThrowAway } from "../../rules/shell/behaviours/throw-away.ts";
import type { Fit } from "./permission-rule.ts";
import type { PermissionPorts } from "./permission-types.ts";
import { isBelow, type Workspace } from "./workspace.ts";

/** What a rule says of the files a command may come by. */
interface RuleForFiles {
  /** True for a path the rule is about. */
  fits(path: string): boolean;
  /** Folders outside of which it is about nothing; none for a rule about files anywhere. */
  readonly starts: readonly string[] | undefined;
}

/**
 * Whether a rule is about a file that a command comes by when it goes through a folder. The files that are there decide:
 * who searches `src` reads no `.env` when none is in it. What can't be looked through, and what a command may leave out,
 * is a maybe.
 */
export function reachedFit(
  reach: ShellReach,
  cwd: string,
  rule: RuleForFiles,
  { paths, filesBelow }: PermissionPorts,
  workspace: Workspace,
): Fit {
  if (reach.path.includes("$")) return "no";
  let fit: Fit = "no";
  for (const spelling of paths.spellings(reach.path, cwd)) {
    const wild = hasWildcard(spelling);
    const comesBy = wild ? compileComesBy(spelling) : () => true;
    const from = fixedFolder(spelling);
    for (const folder of foldersToSearch(from, reach.access, rule.starts)) {
      const { files, complete } = filesBelow(folder, from, reach.except);
      // Without a glob the folders of a file were found before it and looked at themselves.
      const isMeant = (name: string) =>
        wild ? workspace.withFolders(name).some(rule.fits) : rule.fits(name);
      const found = files.some(([path = "", ...others]) => comesBy(path) && [path, ...others].some(isMeant));
      if (found && reach.certain) return "yes";
      // Output of tools, and a folder from which only a link could lead to such a file, are not worth a question.
      const isRelated = rule.starts?.every((start) => !meets(start, folder)) !== true;
      const isMade = isBelow(folder, cwd) && isThrowAway(folder.slice(cwd.length + 1));
      if (found || (!complete && isRelated && !isMade)) fit = "maybe";
    }
  }
  return fit;
}

/** A test for files that a glob fits, or that are below a folder which it fits. */
function compileComesBy(glob: string): (path: string) => boolean {
  try {
    const tests = [compilePathGlob(glob), compilePathGlob(`${glob}/**`)];
    return (path) => tests.some((test) => test(path));
  } catch {
    return () => true;
  }
}

/** The folder above the first wildcard of a path. */
function fixedFolder(path: string): string {
  const wild = path.search(/[*?[]/);
  return wild === -1 ? path : path.slice(0, path.lastIndexOf("/", wild)) || "/";
}

/**
 * Where a folder and what a rule is about meet. Where they do not, a link may still lead from one to the other: who
 * reads may follow it, who deletes does not.
 */
function foldersToSearch(
  folder: string,
  access: ShellReach["access"],
  starts: readonly string[] | undefined,
): readonly string[] {
  if (starts === undefined) return [folder];
  const found = starts.flatMap((start) => {
    if (isBelow(start, folder)) return [start];
    return access === "reads" || meets(start, folder) ? [folder] : [];
  });
  return [...new Set(found)];
}

function meets(one: string, other: string): boolean {
  return one === other || isBelow(one, other) || isBelow(other, one);
}
