import { TenterhookError } from "../core/errors.ts";
import { simpleRegex } from "./simple-regex/simple-regex.ts";

type RegexEngine = typeof import("re2js");

let engine: RegexEngine | undefined;
let loading: Promise<void> | undefined;

/** Loads the regular expression engine, once for the process. */
export function loadRegexEngine(): Promise<void> {
  loading ??= import("re2js").then((loaded) => {
    engine = loaded;
  });
  return loading;
}

/** True once {@link loadRegexEngine} is through. */
export function regexEngineLoaded(): boolean {
  return engine !== undefined;
}

/** True when an expression can be compiled at once: the engine is loaded, or not needed for it. */
export function regexReady(pattern: string, ignoreCase: boolean): boolean {
  return engine !== undefined || simpleRegex(pattern, ignoreCase) !== undefined;
}

const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, "lookaround"],
  [/\\(?:[1-9]|k<)/, "a back-reference"],
];

/**
 * Compiles a regular expression to a test that takes time linear in the text, whatever the pattern. It must be
 * ready, as {@link regexReady} says.
 *
 * @throws TenterhookError `bad_pattern`, which says so when the pattern uses lookaround or a back-reference.
 */
export function compileRegex(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  if (engine === undefined) {
    const simple = simpleRegex(pattern, ignoreCase);
    if (simple === undefined) throw new Error("compileRegex was called before loadRegexEngine.");
    return simple;
  }
  const { RE2JS } = engine;
  try {
    const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    // `test` walks an automaton built on the way; `find` would keep track of groups nobody asks for.
    return (text) => compiled.test(text);
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
