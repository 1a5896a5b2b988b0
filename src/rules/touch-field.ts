import { compileGlob } from "../core/glob.ts";
import type { Field } from "./fields.ts";
import { globsOverlap, hasWildcard } from "./glob-overlap.ts";
import { compilePathPattern, pathIdentities, pathPattern } from "./paths.ts";
import { analysisOf } from "./shell-analysis.ts";
import { shellJoined, shellTextOf } from "./shell-text.ts";
import type { RulePorts, Subject } from "./subject.ts";
import { type Access, hostOf, touchedBy } from "./touched.ts";

/** What something touches. */
export interface TouchField extends Field {
  /** The paths among them that a shell would expand (`.e*`), in all spellings. */
  wildcards(subject: Subject): readonly string[];
}

/**
 * What a field reads, writes or connects to, as a field of its own: of `call` what the call touches whatever the
 * tool, of any other field what its shell text touches.
 */
export function touchField(field: Field, access: Access): TouchField {
  const touched = (subject: Subject, strict: boolean): readonly string[] => {
    if (field.key === "call") return touchedBy(subject, access, strict);
    const text = shellJoined(field.value(subject));
    return text === undefined ? [] : analysisOf(subject, text)[access];
  };
  const wildcards = (subject: Subject): readonly string[] => {
    const shell = field.key !== "call" || shellTextOf(subject) !== undefined;
    return shell && access !== "connects" ? touched(subject, false).filter(hasWildcard) : [];
  };
  return {
    key: `${access} of ${field.key}`,
    pathLike: access !== "connects",
    shellText: true,
    value: (subject) => touched(subject, false)[0],
    identities: (subject, strict) => {
      const names = touched(subject, strict);
      // A name with a variable in it proves nothing.
      if (strict && names.some((name) => name.includes("$"))) return [];
      if (access === "connects") return names.map((host) => [host]);
      return names.flatMap((path) => pathIdentities(subject, path));
    },
    open: (subject) => wildcards(subject).length > 0,
    wildcards: (subject) => wildcards(subject).flatMap((path) => pathIdentities(subject, path).flat()),
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
  if (glob.includes("/")) return (path) => globsOverlap(glob, path, fold);
  return (path) => globsOverlap(glob, path.slice(path.lastIndexOf("/") + 1), fold);
}

/** The glob a touch pattern is, for the index. */
export function touchGlob(pattern: string, access: Access, ports: RulePorts): string {
  return access === "connects" ? hostPattern(pattern) : pathPattern(pattern, ports);
}

/** A pattern written as an address means its host. */
function hostPattern(pattern: string): string {
  return pattern.includes("://") ? (hostOf(pattern) ?? pattern) : pattern;
}
