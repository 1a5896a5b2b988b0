import { compileGlob, compilePathGlob } from "../../core/match/glob.ts";
import { compileOverlap, globsOverlap } from "../../core/match/glob-overlap.ts";
import { hostOf } from "../../core/match/url-hosts.ts";
import { compileTarget, withoutBraces } from "../shell/judge/behaviour-target.ts";
import { hasWildcard } from "../shell/words/text.ts";
import type { Field } from "./fields.ts";
import { type JudgedEvent, type RulePorts, rememberedFor } from "./judged-event.ts";
import { compilePathPattern, pathIdentities, pathPattern } from "./paths.ts";
import { analysisOfField } from "./shell-analysis.ts";
import { type Access, ANY_FILE, inShellFolders, isSearch, touchedBy, wildcardsBy } from "./touched.ts";

export interface TouchField extends Field {
  /** The paths that name several files (`.e*`), in all spellings. */
  wildcards(subject: JudgedEvent): readonly string[];
}

/** A name with a variable in it, or with a choice or a way back up after a wildcard, proves nothing. */
const UNPROVEN = /\$|\{.*,|[*?[].*\.\./;

const wildcardPaths = rememberedFor<readonly string[]>();
const identities = rememberedFor<readonly (readonly string[])[]>();

/**
 * What a field reads, writes or connects to, as a field of its own: of `call` what the call touches whatever the
 * tool, of any other field what its shell text touches.
 */
export function touchField(field: Field, access: Access): TouchField {
  const key = `${access} of ${field.key}`;
  const touched = (subject: JudgedEvent, strict: boolean): readonly string[] => {
    if (field.key === "call") return touchedBy(subject, access, strict);
    const names = analysisOfField(field, subject)?.[access] ?? [];
    return access === "connects" ? names : inShellFolders(subject, names);
  };
  const wildcardNames = (subject: JudgedEvent): readonly string[] => {
    if (access === "connects") return [];
    return field.key === "call" ? wildcardsBy(subject, access) : touched(subject, false).filter(hasWildcard);
  };
  const wildcards = (subject: JudgedEvent): readonly string[] =>
    wildcardPaths(subject, key, () =>
      wildcardNames(subject).flatMap((path) => pathIdentities(subject, path).flat()),
    );
  return {
    key,
    pathLike: access !== "connects",
    shellText: true,
    value: (subject) => touched(subject, false)[0],
    identities: (subject, strict) =>
      identities(subject, strict ? `certain ${key}` : key, () => {
        const names = touched(subject, strict);
        if (strict && names.some((name) => UNPROVEN.test(name))) return [];
        if (access === "connects") return names.map((host) => [host]);
        return names.flatMap((path) => pathIdentities(subject, path));
      }),
    open: (subject) => analysisOfField(field, subject)?.incomplete === true || wildcards(subject).length > 0,
    wildcards,
  };
}

/** A test for one path or host that was touched. Hosts have no upper case. */
export function compileTouch(
  pattern: string,
  access: Access,
  ports: RulePorts,
  fold: boolean,
): (touched: string) => boolean {
  if (access !== "connects") return compilePathPattern(pattern, ports, fold);
  return compileGlob(hostPattern(pattern), { kind: "text", ignoreCase: true });
}

const found = rememberedFor<readonly string[] | undefined>();

/**
 * A test whether a path with wildcards names something that the pattern fits. Where the pattern has a place, the files
 * there decide, since a wildcard names only what exists. A search at any depth is no attempt on all that it could find: its
 * glob has to say what it looks for.
 */
export function compileMayTouch(
  pattern: string,
  ports: RulePorts,
  fold: boolean,
): (path: string, subject: JudgedEvent) => boolean {
  const glob = pathPattern(pattern, ports);
  // `**/*.ts` in the working folder is no file elsewhere: a place is compared with the absolute spelling alone.
  if (glob.startsWith("/")) {
    const places = withoutBraces(glob).map((one) => compilePlace(one, ports, fold));
    return (path, subject) => path.startsWith("/") && places.some((names) => names(path, subject));
  }
  const overlaps = compileOverlap(glob, fold);
  const mayFit = glob.includes("/")
    ? overlaps
    : (path: string) => overlaps(path.slice(path.lastIndexOf("/") + 1));
  const names = compileTarget(glob);
  const isNamed = (path: string) => !/\*[^*/]+\*$/.test(path) && names(path);
  // No wildcard stands for a variable that is written.
  return (path, subject) =>
    (!glob.includes("$") || path.includes("$")) &&
    mayFit(path) &&
    (!isSearch(subject) || withoutBraces(path).some(isNamed));
}

/** A test whether a path with wildcards names an existing file that an absolute glob fits. */
function compilePlace(
  glob: string,
  ports: RulePorts,
  fold: boolean,
): (path: string, subject: JudgedEvent) => boolean {
  const overlaps = compileOverlap(glob, fold);
  const fits = compilePathGlob(glob, fold);
  const place = fixedPlace(glob);
  return (path, subject) => {
    if (!overlaps(path)) return false;
    if (path === ANY_FILE) return true;
    const files = found(subject, place, () => ports.everythingIn?.(place));
    return files === undefined || files.some((file) => fits(file) && globsOverlap(file, path, fold));
  };
}

/** The folder that everything is in which a glob fits; the file itself, when it fits one file. */
function fixedPlace(glob: string): string {
  const wild = glob.search(/[*?[{\\]/);
  return wild === -1 ? glob : glob.slice(0, glob.lastIndexOf("/", wild)) || "/";
}

/** The glob a touch pattern is, for the index. */
export function touchGlob(pattern: string, access: Access, ports: RulePorts): string {
  return access === "connects" ? hostPattern(pattern) : pathPattern(pattern, ports);
}

/** A pattern written as an address means its host. */
function hostPattern(pattern: string): string {
  return pattern.includes("://") ? (hostOf(pattern) ?? pattern) : pattern;
}
