import { TenterhookError } from "../../core/base/errors.ts";
import { compileGlob } from "../../core/match/glob.ts";
import { type JudgedEvent, type RuleEvent, type RulePorts, subjectOf } from "../fields/judged-event.ts";
import { callAnalysis, loadShellAnalysis, missingForShell } from "../fields/shell-analysis.ts";
import { readShell, shellTextOf } from "../fields/shell-text.ts";
import { compileRegex, loadRegexEngine, regexEngineLoaded } from "../operators/regex.ts";
import { everyCommand } from "./rule-holds.ts";
import type { EventPredicate } from "./when.ts";

/**
 * Compiles the `command_patterns` of a matcher, globs or `/regular expressions/`: true when one of them fits the
 * event's shell text or one simple command of it, and when a command of it can't be known (`$CMD push`). An event
 * without shell text never fits.
 *
 * @throws TenterhookError `bad_pattern` for a glob; a bad regular expression shows when the predicate is loaded or
 * first asked.
 */
export function compileCommandPatterns(patterns: readonly string[], ports: RulePorts): EventPredicate {
  return predicate(patterns, ports, (subject, { texts, unreadable }, fits) => {
    // What can't be read may be anything, so the hook is asked.
    if (unreadable || texts.some(fits)) return true;
    const shell = callAnalysis(subject);
    return shell?.dynamic === true || shell?.commands.some((command) => fits(command.text)) === true;
  });
}

/**
 * Like {@link compileCommandPatterns}, but true only when every simple command fits by itself and none is dynamic:
 * what an allow of a hook with `command_patterns` needs.
 */
export function compileCommandCover(patterns: readonly string[], ports: RulePorts): EventPredicate {
  return predicate(patterns, ports, (subject, _shell, fits) =>
    everyCommand(subject, (alone) => fits(shellTextOf(alone) ?? "")),
  );
}

type Fits = (text: string) => boolean;

function predicate(
  patterns: readonly string[],
  ports: RulePorts,
  holds: (subject: JudgedEvent, shell: ReturnType<typeof readShell>, fits: Fits) => boolean,
): EventPredicate {
  const { globs, regexes } = readPatterns(patterns);
  let all: readonly Fits[] | undefined = regexes.length === 0 ? globs : undefined;
  const compile = (): readonly Fits[] => {
    all ??= [...globs, ...regexes.map(({ source, ignoreCase }) => compileRegex(source, ignoreCase))];
    return all;
  };
  const ask = (event: RuleEvent): boolean | Promise<boolean> => {
    const subject = subjectOf(event, ports);
    const shell = readShell(event);
    if (shell.texts.length === 0 && !shell.unreadable) return false;
    const missing =
      regexes.length > 0 && !regexEngineLoaded() ? loadRegexEngine() : missingForShell(shell.texts);
    if (missing !== undefined) return missing.then(() => ask(event));
    const tests = compile();
    return holds(subject, shell, (candidate) => tests.some((fits) => fits(candidate)));
  };
  const load = async () => {
    if (regexes.length > 0) await loadRegexEngine();
    await loadShellAnalysis();
    compile();
  };
  return Object.assign(ask, { load });
}

function readPatterns(patterns: readonly unknown[]) {
  const globs: Fits[] = [];
  const regexes: { readonly source: string; readonly ignoreCase: boolean }[] = [];
  for (const pattern of patterns) {
    if (typeof pattern !== "string" || pattern === "") {
      throw new TenterhookError(
        "bad_pattern",
        `A command pattern must be a string such as "git push *" or "/^git push/", found ${JSON.stringify(pattern)}.`,
      );
    }
    const [, source, flags] = /^\/(.+)\/(i?)$/s.exec(pattern) ?? [];
    if (source === undefined) globs.push(compileGlob(pattern, { kind: "text" }));
    else regexes.push({ source: source.replaceAll("\\/", "/"), ignoreCase: flags === "i" });
  }
  return { globs, regexes };
}
