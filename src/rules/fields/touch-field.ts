import { compileGlob } from "../../core/match/glob.ts";
import { hostOf } from "../../core/match/url-hosts.ts";
import type { Field } from "./fields.ts";
import { compileOverlap, hasWildcard } from "./glob-overlap.ts";
import { type JudgedEvent, type RulePorts, rememberedFor } from "./judged-event.ts";
import { compilePathPattern, pathIdentities, pathPattern } from "./paths.ts";
import { analysisOfField } from "./shell-analysis.ts";
import { type Access, inShellFolders, touchedBy, wildcardsBy } from "./touched.ts";

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

/** A test whether a path with wildcards may name something that the pattern fits. */
export function compileMayTouch(pattern: string, ports: RulePorts, fold: boolean): (path: string) => boolean {
  const glob = pathPattern(pattern, ports);
  const overlaps = compileOverlap(glob, fold);
  // `**/*.ts` in the working folder is no file elsewhere: a place is compared with the absolute spelling alone.
  if (glob.startsWith("/")) return (path) => path.startsWith("/") && overlaps(path);
  if (glob.includes("/")) return overlaps;
  return (path) => overlaps(path.slice(path.lastIndexOf("/") + 1));
}

/** The glob a touch pattern is, for the index. */
export function touchGlob(pattern: string, access: Access, ports: RulePorts): string {
  return access === "connects" ? hostPattern(pattern) : pathPattern(pattern, ports);
}

/** A pattern written as an address means its host. */
function hostPattern(pattern: string): string {
  return pattern.includes("://") ? (hostOf(pattern) ?? pattern) : pattern;
}
