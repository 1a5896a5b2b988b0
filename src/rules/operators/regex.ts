import { TenterhookError } from "../../core/base/errors.ts";
import { type SimpleRegex, simpleRegex } from "../simple-regex/simple-regex.ts";

type RegexEngine = typeof import("re2js")["RE2JS"];

let engine: RegexEngine | undefined;
let loading: Promise<void> | undefined;

/** Loads the regular expression engine, once for the process. */
export function loadRegexEngine(): Promise<void> {
  loading ??= import("re2js").then(({ RE2JS }) => {
    engine = RE2JS;
  });
  return loading;
}

/** True once {@link loadRegexEngine} is through. */
export function regexEngineLoaded(): boolean {
  return engine !== undefined;
}

/**
 * True when an expression can be compiled at once and asked about some texts: the engine is loaded, or not needed for
 * them. No texts are given when nobody knows them yet.
 */
export function regexReady(
  pattern: string,
  ignoreCase: boolean,
  texts: (() => readonly string[]) | undefined,
): boolean {
  if (engine !== undefined) return true;
  const beyondAscii = (): boolean => texts?.().every(isAscii) !== true;
  // A class of Unicode is left to the engine there, so that it would be read in vain.
  if (/\\p/i.test(pattern) && beyondAscii()) return false;
  const simple = simpleOnce(pattern, ignoreCase);
  return simple !== undefined && !(simple.asciiOnly && beyondAscii());
}

let latest: { readonly key: string; readonly simple: SimpleRegex | undefined } | undefined;

/** An expression is asked for twice in a row: whether it is ready, and to be compiled. */
function simpleOnce(pattern: string, ignoreCase: boolean): SimpleRegex | undefined {
  const key = `${ignoreCase} ${pattern}`;
  if (latest?.key !== key) latest = { key, simple: simpleRegex(pattern, ignoreCase) };
  return latest.simple;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, "lookaround"],
  [/\\(?:[1-9]|k<)/, "a back-reference"],
];

/**
 * Compiles a regular expression to a test that takes time linear in the text, whatever the pattern. It must be
 * ready for the texts it is asked about, as {@link regexReady} says; the test throws otherwise.
 *
 * @throws TenterhookError `bad_pattern`, which says so when the pattern uses lookaround or a back-reference.
 */
export function compileRegex(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  const simple = engine === undefined ? simpleOnce(pattern, ignoreCase) : undefined;
  if (simple === undefined) return wholeRegex(pattern, ignoreCase);
  if (!simple.asciiOnly) return simple.test;
  let whole: ((text: string) => boolean) | undefined;
  return (text) => {
    if (isAscii(text)) return simple.test(text);
    whole ??= wholeRegex(pattern, ignoreCase);
    return whole(text);
  };
}

const WITHOUT_AUTOMATON = 4;

function wholeRegex(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  if (engine === undefined) throw new Error("A regular expression was asked before loadRegexEngine.");
  try {
    const compiled = engine.compile(pattern, ignoreCase ? engine.CASE_INSENSITIVE : 0);
    let asked = 0;
    // `test` walks an automaton, which takes longer to make than some texts to search without one, as `find` does.
    return (text) => {
      asked += 1;
      return asked <= WITHOUT_AUTOMATON ? compiled.matcher(text).find() : compiled.test(text);
    };
  } catch (error) {
    throw badRegex(pattern, error);
  }
}

function badRegex(pattern: string, error: unknown): TenterhookError {
  const shown = `/${pattern.slice(0, 200)}/`;
  const unescaped = pattern.replaceAll("\\\\", "");
  const [, feature] = UNSUPPORTED.find(([sign]) => sign.test(unescaped)) ?? [];
  const problem =
    feature === undefined
      ? `can't be compiled: ${error instanceof Error ? error.message : String(error)}`
      : `uses ${feature}, which no engine runs in linear time; write it with "and", "or" and "not" instead`;
  return new TenterhookError("bad_pattern", `The regular expression ${shown} ${problem}.`, { cause: error });
}
