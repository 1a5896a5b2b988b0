import { TenterhookError } from "../core/errors.ts";
import { compileGlob } from "../core/glob.ts";
import { compileRegex, loadRegexEngine, regexEngineLoaded } from "./regex.ts";
import { everyCommand } from "./rule-holds.ts";
import { analysisOf, missingForShell } from "./shell-analysis.ts";
import { shellTextOf } from "./shell-text.ts";
import { type RulePorts, type Subject, subjectOf } from "./subject.ts";
import type { EventPredicate } from "./when.ts";

/**
 * Compiles the `command_patterns` of a matcher, globs or `/regular expressions/`: true when one of them fits the
 * event's shell text or one simple command of it. An event without shell text never fits.
 *
 * @throws TenterhookError `bad_pattern` for a glob; a bad regular expression shows at the first event.
 */
export function compileCommandPatterns(patterns: readonly string[], ports: RulePorts): EventPredicate {
  return predicate(patterns, ports, (subject, fits) => {
    const text = shellTextOf(subject);
    if (text === undefined) return false;
    return fits(text) || analysisOf(subject, text).commands.some((command) => fits(command.text));
  });
}

/**
 * Like {@link compileCommandPatterns}, but true only when every simple command fits by itself and none is dynamic:
 * what an allow of a hook with `command_patterns` needs.
 */
export function compileCommandCover(patterns: readonly string[], ports: RulePorts): EventPredicate {
  return predicate(patterns, ports, (subject, fits) => {
    if (shellTextOf(subject) === undefined) return false;
    return everyCommand(subject, (alone) => fits(shellTextOf(alone) ?? ""));
  });
}

type Fits = (text: string) => boolean;

function predicate(
  patterns: readonly string[],
  ports: RulePorts,
  holds: (subject: Subject, fits: Fits) => boolean,
): EventPredicate {
  const sources = patterns.map(readPattern);
  const regex = sources.some((source) => "regex" in source);
  const globs = sources.flatMap((source) =>
    "glob" in source ? [compileGlob(source.glob, { kind: "text" })] : [],
  );
  let all: readonly Fits[] | undefined = regex ? undefined : globs;
  return function ask(event): boolean | Promise<boolean> {
    const subject = subjectOf(event, ports);
    const text = shellTextOf(subject);
    if (text === undefined) return false;
    if (regex && !regexEngineLoaded()) return loadRegexEngine().then(() => ask(event));
    const missing = missingForShell(text);
    if (missing !== undefined) return missing.then(() => ask(event));
    all ??= [
      ...globs,
      ...sources.flatMap((source) =>
        "regex" in source ? [compileRegex(source.regex, source.ignoreCase)] : [],
      ),
    ];
    const tests = all;
    return holds(subject, (candidate) => tests.some((fits) => fits(candidate)));
  };
}

type Source = { readonly glob: string } | { readonly regex: string; readonly ignoreCase: boolean };

function readPattern(pattern: unknown): Source {
  if (typeof pattern !== "string" || pattern === "") {
    throw new TenterhookError(
      "bad_pattern",
      `A command pattern must be a text such as "git push *" or "/^git push/", found ${JSON.stringify(pattern)}.`,
    );
  }
  const [, regex, flags] = /^\/(.+)\/(i?)$/s.exec(pattern) ?? [];
  if (regex === undefined) return { glob: pattern };
  return { regex: regex.replaceAll("\\/", "/"), ignoreCase: flags === "i" };
}
