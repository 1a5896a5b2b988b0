import { compilePathGlob } from "../../core/glob.ts";
import { hasWildcard } from "../../rules/glob-overlap.ts";
import type { ShellReach } from "../../rules/shell/analysis.ts";
import type { Fit } from "./permission-rule.ts";
import type { PermissionPorts } from "./permission-types.ts";
import type { Workspace } from "./workspace.ts";

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
    for (const folder of foldersToSearch(from, rule.starts)) {
      const { files, complete } = filesBelow(folder, from, reach.except);
      // Without a glob the folders of a file were found before it and looked at themselves.
      const isMeant = (name: string) =>
        wild ? workspace.withFolders(name).some(rule.fits) : rule.fits(name);
      const found = files.some(([path = "", ...others]) => comesBy(path) && [path, ...others].some(isMeant));
      if (found && reach.certain) return "yes";
      // A link that nobody saw, out of a folder that has nothing to do with the rule, is not worth a question.
      const isRelated = rule.starts?.every((start) => !meets(start, folder)) !== true;
      if (found || (!complete && isRelated)) fit = "maybe";
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

/** Where a folder and what a rule is about meet; where they do not, a link may still lead from one to the other. */
function foldersToSearch(folder: string, starts: readonly string[] | undefined): readonly string[] {
  if (starts === undefined) return [folder];
  return [...new Set(starts.map((start) => (isBelow(start, folder) ? start : folder)))];
}

function meets(one: string, other: string): boolean {
  return one === other || isBelow(one, other) || isBelow(other, one);
}

/** True for a path inside of a folder. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
