import { isRecord } from "../../core/base/json.ts";
import { type Issue, pathText } from "../../core/base/schemas.ts";
import { nearestName } from "../../core/base/suggest.ts";
import { type ParsedFile, positionOf, type ValuePath } from "./located.ts";
import type { Problem } from "./problem.ts";
import { rightPlace } from "./wrong-place.ts";

/** The problems of a value that was checked, each at its place in the file. `base` leads to the value. */
export function issueProblems(
  issues: readonly Issue[],
  parsed: ParsedFile,
  base: ValuePath,
): readonly Problem[] {
  return issues.map(({ path, text, unknown }) => {
    const at = [...base, ...path];
    // A name that is nearly right where it stands is rather misspelt than misplaced.
    const isNear = unknown !== undefined && nearestName(unknown.key, unknown.known) !== undefined;
    const place = unknown === undefined || isNear ? undefined : rightPlace(unknown.key, at);
    const problem =
      place === undefined ? text : `has the unknown key ${JSON.stringify(unknown?.key)}. ${place}`;
    const message = `${subject(parsed, at)} ${problem}`;
    return unknown === undefined
      ? problemAt(parsed, at, message)
      : problemAt(parsed, [...at, unknown.key], message, "key");
  });
}

export function problemAt(
  parsed: ParsedFile,
  path: ValuePath,
  message: string,
  part: "key" | "value" = "value",
): Problem {
  return { code: "config_invalid", file: parsed.file, ...positionOf(parsed.located, path, part), message };
}

/** The name of a hook in messages, or its path. */
export function hookLabel(parsed: ParsedFile, path: ValuePath): string {
  const definition = valueAt(parsed.value, path);
  const name = isRecord(definition) ? definition.name : undefined;
  return typeof name === "string" ? `Hook ${JSON.stringify(name)}` : pathText(path);
}

function subject(parsed: ParsedFile, path: ValuePath): string {
  if (path.length === 0) return "The file";
  if (path[0] !== "hooks" || path[1] !== "definitions" || path.length < 3) return pathText(path);
  const label = hookLabel(parsed, path.slice(0, 3));
  return path.length === 3 ? label : `${label}: ${pathText(path.slice(3))}`;
}

function valueAt(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (at, part) => (typeof at === "object" && at !== null ? Reflect.get(at, part) : undefined),
    value,
  );
}
