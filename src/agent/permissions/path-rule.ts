import { compilePathGlob } from "../../core/match/glob.ts";
import { anchoredPatterns, withoutLeadingBraces } from "../../core/match/paths.ts";
import { compileOverlap } from "../../rules/fields/glob-overlap.ts";
import type { ParsedRule } from "../../rules/permissions/parse-rule.ts";
import { checkFilePattern } from "../../rules/permissions/specifiers.ts";
import type { ShellReach } from "../../rules/shell/analysis.ts";
import type { JudgedCall } from "./judged-call.ts";
import type { Fit, PermissionRule } from "./permission-rule.ts";
import type { PermissionPorts } from "./permission-types.ts";
import { reachedFit } from "./reached.ts";
import { coveredTools } from "./tool-rule.ts";
import { isBelow, isUnproven, type Workspace, withVariables } from "./workspace.ts";

type Test = (path: string) => boolean;

/**
 * A rule for files. As a deny or ask it is about every call that may touch a file the pattern fits, or a folder it
 * fits with all that is in it: file tools, `cat`, `> file`, patches, globs; upper and lower case do not count. As an
 * allow it is about calls of its tools all of whose files fit, with links followed and as written; a pattern that starts
 * nowhere (`*.ts`, `**`) then stays in the workspace.
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
    const found = spellings.flatMap((spelling) => workspace.withFolders(spelling));
    if (found.some(forFiles.fits)) return "yes";
    const unknown =
      path.includes("$") && spellings.some((spelling) => overlaps.some((test) => test(spelling)));
    return unknown ? "maybe" : "no";
  };
  // What happens to a folder as a whole happens to the files in it, also to those that are not there yet.
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

  return {
    text,
    concerns: (judged) => {
      const { cwd } = judged.call;
      const wildcards = judged.wildcards(access).filter((path) => !isSearchForAll(path, judged.tool));
      if (wildcards.some((path) => concernsWildcard(path, cwd))) return "yes";
      const touched = judged.touched(access, false);
      const fits = [
        ...touched.map((path) => concernsPath(path, cwd)),
        ...judged.reaches(access).map((reach) => concernsReach(reach, cwd)),
      ];
      if (fits.includes("yes")) return "yes";
      const doubtful = judged.shell?.dynamic === true || touched.some((path) => isAbove(path, cwd));
      return doubtful || fits.includes("maybe") ? "maybe" : "no";
    },
    covers: (judged) => tools.includes(judged.tool) && coversAll(judged, access, coversPath),
    ...(access === "reads" ? { hides: (path, cwd) => concernsPath(path, cwd) === "yes" } : {}),
    ...(access === "writes" && tools.includes("Write") ? { coversEdit: coversPath } : {}),
  };
}

function coversAll(
  judged: JudgedCall,
  access: "reads" | "writes",
  coversPath: (path: string, cwd: string) => boolean,
): boolean {
  const paths = judged.touched(access, true);
  return paths.length > 0 && paths.every((path) => coversPath(path, judged.call.cwd));
}

/** A search for files of every name is not aimed at those it may not see; it leaves them out. */
function isSearchForAll(path: string, tool: string): boolean {
  return (tool === "Glob" || tool === "Grep") && /(?:^|\/)\*+$/.test(path);
}

/** The absolute globs a pattern stands for; one without a slash looks at the name alone. */
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

/** What every path that fits a pattern begins with. */
function fixedPart(pattern: string): string {
  const wild = pattern.search(/[*?[{\\]/);
  return wild === -1 ? pattern : pattern.slice(0, wild);
}

/** The folder in which everything is that begins with this, or the one path it is. */
function folderOf(start: string): string {
  return start.endsWith("/") ? start.slice(0, -1) || "/" : start;
}

/** True for a pattern that says nothing of where it starts: a name, or one that begins with `**`. */
function isAnywhere(pattern: string): boolean {
  return !pattern.includes("/") || pattern.startsWith("**");
}

/** A test whether a path with wildcards or unknown parts may name a file that the pattern fits. */
function compileMayFit(pattern: string): Test {
  const overlaps = compileOverlap(pattern, true);
  return pattern.includes("/") ? overlaps : (path) => overlaps(path.slice(path.lastIndexOf("/") + 1));
}
