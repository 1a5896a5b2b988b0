import { compileGlob } from "../core/glob.ts";
import type { Field } from "./fields.ts";
import { globsOverlap, hasWildcard } from "./glob-overlap.ts";
import { compilePathPattern, pathIdentities, pathPattern } from "./paths.ts";
import { analysisOf } from "./shell-analysis.ts";
import { shellJoined } from "./shell-text.ts";
import type { RulePorts, Subject } from "./subject.ts";
import { type Access, hostOf, touchedBy } from "./touched.ts";

/**
 * What a field reads, writes or connects to, as a field of its own: of `call` what the call touches whatever the
 * tool, of any other field what its shell text touches.
 */
export function touchField(field: Field, access: Access): Field {
  const touched = (subject: Subject, strict: boolean): readonly string[] => {
    if (field.key === "call") return touchedBy(subject, access, strict);
    const text = shellJoined(field.value(subject));
    return text === undefined ? [] : analysisOf(subject, text)[access];
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
    open: (subject) => access !== "connects" && touched(subject, false).some(hasWildcard),
  };
}

/** The tests of a touch pattern: `fits` when a path or host certainly does, `mayFit` when one with wildcards could. */
export interface TouchTests {
  fits(touched: string): boolean;
  mayFit(touched: string): boolean;
}

/** Compiles the pattern of `reads`, `writes` or `connects`. Hosts have no upper case. */
export function compileTouch(pattern: string, access: Access, ports: RulePorts, fold: boolean): TouchTests {
  if (access === "connects") {
    const fits = compileGlob(hostPattern(pattern), { kind: "text", ignoreCase: true });
    return { fits, mayFit: fits };
  }
  const fits = compilePathPattern(pattern, ports, fold);
  const glob = pathPattern(pattern, ports);
  const nameOnly = !glob.includes("/");
  return {
    fits,
    mayFit: (path) => {
      if (fits(path)) return true;
      return (
        hasWildcard(path) && globsOverlap(glob, nameOnly ? path.slice(path.lastIndexOf("/") + 1) : path, fold)
      );
    },
  };
}

/** The glob a touch pattern is, for the index. */
export function touchGlob(pattern: string, access: Access, ports: RulePorts): string {
  return access === "connects" ? hostPattern(pattern) : pathPattern(pattern, ports);
}

/** A pattern written as an address means its host. */
function hostPattern(pattern: string): string {
  return pattern.includes("://") ? (hostOf(pattern) ?? pattern) : pattern;
}
