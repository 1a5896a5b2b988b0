import { compileGlob } from "../core/glob.ts";
import type { Field } from "./fields.ts";
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
    identities: (subject, strict) =>
      access === "connects"
        ? touched(subject, strict).map((host) => [host])
        : touched(subject, strict).flatMap((path) => pathIdentities(subject, path)),
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

/** The glob a touch pattern is, for the index. */
export function touchGlob(pattern: string, access: Access, ports: RulePorts): string {
  return access === "connects" ? hostPattern(pattern) : pathPattern(pattern, ports);
}

/** A pattern written as an address means its host. */
function hostPattern(pattern: string): string {
  return pattern.includes("://") ? (hostOf(pattern) ?? pattern) : pattern;
}
