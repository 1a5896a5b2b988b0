import type { z } from "zod";
import { isRecord } from "../../core/base/json.ts";
import { type ParsedFile, positionOf, type ValuePath } from "./located.ts";
import type { Problem } from "./problem.ts";

type Issue = z.core.$ZodIssue;

/** Says what the schema found, each at its place in the file. `base` is where the checked value stands. */
export function issueProblems(
  issues: readonly Issue[],
  parsed: ParsedFile,
  base: ValuePath,
): readonly Problem[] {
  return issues.flatMap((issue) => problemsOfIssue(issue, parsed, [...base, ...issue.path.map(step)]));
}

/** A problem at a path of a file. */
export function problemAt(
  parsed: ParsedFile,
  path: ValuePath,
  message: string,
  part: "key" | "value" = "value",
): Problem {
  return { code: "config_invalid", file: parsed.file, ...positionOf(parsed.located, path, part), message };
}

/** The problem of a value that is missing or can't be. `expected` follows "it must be". */
export function valueProblem(parsed: ParsedFile, path: ValuePath, expected: string): Problem {
  const value = valueAt(parsed.value, path);
  const is = value === undefined ? "is missing" : `is ${shown(value)}`;
  const end = /[.?]$/.test(expected) ? "" : ".";
  return problemAt(parsed, path, `${subject(parsed, path)} ${is}; it must be ${expected}${end}`);
}

/** How messages name a hook of a file: by its name, or by its place in the list. */
export function hookLabel(parsed: ParsedFile, path: ValuePath): string {
  const definition = valueAt(parsed.value, path);
  const name = isRecord(definition) ? definition.name : undefined;
  return typeof name === "string" ? `Hook ${shown(name)}` : pathText(path);
}

function problemsOfIssue(issue: Issue, parsed: ParsedFile, path: ValuePath): readonly Problem[] {
  if (issue.code === "unrecognized_keys") {
    const help = issue.message.split("\n");
    return issue.keys.map((key, index) =>
      problemAt(
        parsed,
        [...path, key],
        `${subject(parsed, path)} has the unknown key ${JSON.stringify(key)}.${help[index] ?? ""}`,
        "key",
      ),
    );
  }
  if (issue.code === "invalid_union") {
    // Of the alternatives, the one whose shape the value has says more than all of them together.
    const [nearest] = issue.errors
      .filter((branch) =>
        branch.some(({ code, path: inner }) => inner.length > 0 || code === "unrecognized_keys"),
      )
      .sort((a, b) => a.length - b.length);
    if (nearest !== undefined) return issueProblems(nearest, parsed, path);
  }
  return [valueProblem(parsed, path, issue.message)];
}

/** What a sentence about a path begins with. */
function subject(parsed: ParsedFile, path: ValuePath): string {
  if (path.length === 0) return "The file";
  if (path[0] !== "hooks" || path[1] !== "definitions" || path.length < 3) return pathText(path);
  const label = hookLabel(parsed, path.slice(0, 3));
  return path.length === 3 ? label : `${label}: ${pathText(path.slice(3))}`;
}

function pathText(path: ValuePath): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");
}

function valueAt(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (at, part) => (typeof at === "object" && at !== null ? Reflect.get(at, part) : undefined),
    value,
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function step(part: PropertyKey): string | number {
  return typeof part === "number" ? part : String(part);
}
