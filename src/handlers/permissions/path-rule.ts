import { compilePathGlob } from "../../core/match/glob.ts";
import { compileOverlap, withoutNamedClasses } from "../../core/match/glob-overlap.ts";
import { anchoredPatterns, withoutLeadingBraces } from "../../core/match/paths.ts";
import { touchedBy, wildcardsBy } from "../../rules/fields/touched.ts";
import { checkFilePattern, type ParsedRule } from "../../rules/permissions/parse-rule.ts";
import type { ShellReach } from "../../rules/shell/analysis.ts";
import { isThrowAway } from "../../rules/shell/judge/throw-away.ts";
import { hasWildcard } from "../../rules/shell/words/text.ts";
import type { Fit, JudgedCall, PermissionRule } from "./judged-call.ts";
import type { PermissionPorts } from "./permission-types.ts";
import { isBelow, isUnproven, type Workspace, withVariables } from "./workspace.ts";

type Test = (path: string) => boolean;

/**
 * A rule for files. As a deny or ask it is about every call that may touch a file or a folder that matches the pattern, or
 * anything in such a folder: file tools, `cat`, `> file`, patches, globs; case does not count. As an allow it is about calls
 * of its tools whose files all match, both as written and with links followed; a pattern without a start (`*.ts`, `**`) then
 * stays in the workspace.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` for a pattern that can't be read.
 */
export function compilePathRule(
  { text, tool }: ParsedRule,
  access: "reads" | "writes",
  value: string,
  ports: PermissionPorts,
  workspace: Workspace,
): PermissionRule {
  const patterns = patternsOf(text, value, ports);
  const exact = patterns.map((pattern) => ({
    anywhere: isAnywhere(pattern),
    fits: compilePathGlob(pattern),
  }));
  const folded = patterns.map((pattern): Test => compilePathGlob(pattern, true));
  const overlaps = patterns.map(compileMayFit);
  const starts = patterns.filter((pattern) => !isAnywhere(pattern)).map(fixedPart);
  const forFiles = {
    fits: (path: string) => folded.some((test) => test(path)),
    starts: starts.length < patterns.length ? undefined : [...new Set(starts.map(folderOf))],
  };
  const tools = coveredTools(tool);
  const coversPath = (path: string, cwd: string): boolean => {
    if (isUnproven(path)) return false;
    const isInside = workspace.holds(path, cwd);
    return ports.paths
      .spellings(path, cwd)
      .every((spelling) => exact.some(({ anywhere, fits }) => (isInside || !anywhere) && fits(spelling)));
  };

  const concernsPath = (path: string, cwd: string): Fit => {
    const spellings = ports.paths.spellings(withVariables(path), cwd);
    const isMeant = (spelling: string) => workspace.withFolders(spelling).some(forFiles.fits);
    if (spellings.some(isMeant)) return "yes";
    const unknown =
      OPEN_FILE.test(spellings[0] ?? path) ||
      (path.includes("$") && spellings.some((spelling) => overlaps.some((test) => test(spelling))));
    return unknown ? "maybe" : "no";
  };
  // What happens to a folder happens to the files in it, also to future ones.
  const isAbove = (path: string, cwd: string): boolean =>
    access === "writes" &&
    ports.paths
      .spellings(withVariables(path), cwd)
      .some((spelling) => starts.some((start) => isBelow(start, spelling)));
  const concernsReach = (reach: ShellReach, cwd: string): Fit => {
    const fit = concernsPath(reach.path, cwd);
    return fit === "no" ? reachedFit(reach, cwd, forFiles, ports, workspace) : fit;
  };
  const concernsWildcard = (path: string, cwd: string): boolean =>
    ports.paths.spellings(path, cwd).some((spelling) => overlaps.some((test) => test(spelling)));

  const hides = (path: string, cwd: string): boolean => concernsPath(path, cwd) === "yes";

  return {
    text,
    concerns: (judged) => {
      const { cwd } = judged.call;
      const wildcards = wildcardsBy(judged.subject, access).filter(
        (path) => !isSearchForAll(path, judged.tool),
      );
      if (wildcards.some((path) => concernsWildcard(path, cwd))) return "yes";
      const touched = touchedBy(judged.subject, access, false);
      const fits = [
        ...touched.map((path) => concernsPath(path, cwd)),
        ...judged.reaches(access).map((reach) => concernsReach(reach, cwd)),
      ];
      if (fits.includes("yes")) return "yes";
      const doubtful = judged.shell?.dynamic === true || touched.some((path) => isAbove(path, cwd));
      return doubtful || fits.includes("maybe") ? "maybe" : "no";
    },
    covers: (judged) => tools.includes(judged.tool) && coversAll(judged, access, coversPath),
    ...(access === "reads" ? { hides } : {}),
    ...(access === "writes" && tools.includes("Write") ? { coversEdit: coversPath } : {}),
  };
}

/** A file that some process has open: nobody knows which. */
const OPEN_FILE = /^\/(?:dev\/fd|proc\/[^/]+(?:\/task\/[^/]+)?\/(?:fd|map_files))\/(?![0-2]$)[^/]/;

function coversAll(
  judged: JudgedCall,
  access: "reads" | "writes",
  coversPath: (path: string, cwd: string) => boolean,
): boolean {
  const paths = touchedBy(judged.subject, access, true);
  return paths.length > 0 && paths.every((path) => coversPath(path, judged.call.cwd));
}

/** A search for files of every name skips those it may not see. */
function isSearchForAll(path: string, tool: string): boolean {
  return (tool === "Glob" || tool === "Grep") && /(?:^|\/)\*+$/.test(path);
}

/** The absolute globs of a pattern; one without a slash is compared with names alone. */
function patternsOf(text: string, value: string, ports: PermissionPorts): readonly string[] {
  checkFilePattern(text, value);
  const plain = value.replace(/^\/{2,}/, "/");
  const whole = /^(?:~|\.\.?)$|\/$/.test(plain) ? `${plain.replace(/\/$/, "")}/**` : plain;
  return withoutLeadingBraces(whole).flatMap((pattern) =>
    isAnywhere(pattern)
      ? [pattern]
      : ports.workspace.flatMap((folder) => anchoredPatterns(pattern, folder, ports.paths)),
  );
}

/** What every matching path begins with. */
function fixedPart(pattern: string): string {
  const wild = pattern.search(/[*?[{\\]/);
  return wild === -1 ? pattern : pattern.slice(0, wild);
}

function folderOf(start: string): string {
  return start.endsWith("/") ? start.slice(0, -1) || "/" : start;
}

/** True for a pattern without a start: a name, or one that begins with `**`. */
function isAnywhere(pattern: string): boolean {
  return !pattern.includes("/") || pattern.startsWith("**");
}

/** A test whether a path with wildcards or unknown parts may name a matching file. */
function compileMayFit(pattern: string): Test {
  const overlaps = compileOverlap(pattern, true);
  return pattern.includes("/") ? overlaps : (path) => overlaps(path.slice(path.lastIndexOf("/") + 1));
}

/** Tools that a rule for the first one covers too. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Read: ["Read", "LS", "Glob", "Grep"],
  Edit: ["Edit", "Write", "NotebookEdit", "ApplyPatch", "Memory"],
};

/** The tools a rule for this one may allow. */
export function coveredTools(tool: string): readonly string[] {
  return (Object.hasOwn(FAMILIES, tool) ? FAMILIES[tool] : undefined) ?? [tool];
}

/** A rule as it applies to the files that a command reaches. */
interface RuleForFiles {
  fits(path: string): boolean;
  /** The folders it is limited to; `undefined` for a rule about files anywhere. */
  readonly starts: readonly string[] | undefined;
}

/**
 * Whether a rule is about a file that a command reaches when it walks a folder. The existing files decide: a search in `src`
 * reads no `.env` when the folder has none. A folder that can't be searched, and what a command may skip, is a maybe.
 */
function reachedFit(
  reach: ShellReach,
  cwd: string,
  rule: RuleForFiles,
  ports: PermissionPorts,
  workspace: Workspace,
): Fit {
  const { paths, filesBelow } = ports;
  if (reach.path.includes("$")) return "no";
  let fit: Fit = "no";
  for (const spelling of paths.spellings(reach.path, cwd)) {
    const wild = hasWildcard(spelling);
    const isReached = wild ? compileReached(spelling) : () => true;
    const from = fixedFolder(spelling);
    for (const folder of foldersToSearch(from, reach.access, rule.starts)) {
      const { files, complete } = filesBelow(folder, from, reach.except);
      // Without a glob the folders of a file were found before the file and tested themselves.
      const isMeant = (name: string) =>
        wild ? workspace.withFolders(name).some(rule.fits) : rule.fits(name);
      const reached = files.filter(([path = ""]) => isReached(path));
      const found = reached.some((spellings) => spellings.some(isMeant));
      if (found && reach.certain) return "yes";
      // Output of tools, and a folder that only a link could connect to such a file, are not worth a question.
      const isRelated = rule.starts?.every((start) => !meets(start, folder)) !== true;
      const isMade = isBelow(folder, cwd) && isThrowAway(folder.slice(cwd.length + 1));
      if (found || (!complete && isRelated && !isMade)) fit = "maybe";
    }
  }
  return fit;
}

/** A test for files that match a glob, or are below a folder that matches. */
function compileReached(glob: string): (path: string) => boolean {
  try {
    // A named class is one of the shell, not of our globs.
    if (withoutNamedClasses(glob) !== glob) return () => true;
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
 * Where a folder and the folders of a rule overlap. Where they do not, a link may still connect them: a read may follow
 * it, a deletion does not.
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
