import { errorMessage } from "../base/error-text.ts";
import { TenterhookError } from "../base/errors.ts";
import { compileGlob } from "./glob.ts";

/** Compiles a regular expression to a test that takes time linear in the text; throws when it can't. */
export type RegexCompiler = (source: string, ignoreCase: boolean) => (text: string) => boolean;

/** A list of names and patterns, taken apart: exact names are looked up, the rest is tried. */
export interface NamePatterns {
  readonly exact: ReadonlySet<string>;
  readonly patterns: readonly ((name: string) => boolean)[];
}

/**
 * Compiles names as matchers take them: `Bash`, `Read|Edit`, a glob (`mcp__*`) or `/a regular expression/`.
 *
 * @throws TenterhookError `bad_pattern`; `unsupported_matcher` for a regular expression where none can be compiled.
 */
export function compileNames(
  values: readonly string[],
  regex: RegexCompiler | undefined,
  place: string,
): NamePatterns {
  const exact = new Set<string>();
  const patterns: ((name: string) => boolean)[] = [];
  for (const value of values) {
    const expression = /^\/(.*)\/(i?)$/s.exec(value);
    if (expression !== null) {
      patterns.push(compileRegex(expression[1] ?? "", expression[2] === "i", regex, place));
      continue;
    }
    for (const name of value.split("|")) {
      const trimmed = name.trim();
      if (trimmed === "")
        throw new TenterhookError("bad_pattern", `${place} has an empty name in ${JSON.stringify(value)}.`);
      if (/[*?[{\\]/.test(trimmed)) patterns.push(compileGlob(trimmed, { kind: "text" }));
      else exact.add(trimmed);
    }
  }
  return { exact, patterns };
}

/** True when a name is in the list or fits one of its patterns. */
export function matchesName(names: NamePatterns, name: string): boolean {
  return names.exact.has(name) || names.patterns.some((pattern) => pattern(name));
}

function compileRegex(
  source: string,
  ignoreCase: boolean,
  regex: RegexCompiler | undefined,
  place: string,
): (text: string) => boolean {
  if (regex === undefined) {
    throw new TenterhookError(
      "unsupported_matcher",
      `${place} has the regular expression /${source}/, and this hook set was made without a regex engine.`,
    );
  }
  try {
    return regex(source, ignoreCase);
  } catch (cause) {
    const why = errorMessage(cause);
    throw new TenterhookError(
      "bad_pattern",
      `${place} has the regular expression /${source}/, which can't be compiled: ${why}.`,
      { cause },
    );
  }
}
