import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";

type RegexEngine = typeof import("re2js")["RE2JS"];

let engine: RegexEngine | undefined;
let loading: Promise<void> | undefined;

/** Loads the regular expression engine, once per process. */
export function loadRegexEngine(): Promise<void> {
  loading ??= import("re2js").then(({ RE2JS }) => {
    engine = RE2JS;
  });
  return loading;
}

export function regexEngineLoaded(): boolean {
  return engine !== undefined;
}

const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, "lookaround"],
  [/\\(?:[1-9]|k<)/, "a back-reference"],
];

/** `test` builds an automaton, which takes longer than searching a few texts without one, as `find` does. */
const SEARCHES_WITHOUT_AUTOMATON = 4;

/**
 * Compiles a regular expression to a test that takes time linear in the text, whatever the pattern.
 *
 * @throws TenterhookError `bad_pattern`, which says so when the pattern uses lookaround or a back-reference.
 * @throws Error before {@link loadRegexEngine} has resolved.
 */
export function compileRegex(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  if (engine === undefined) throw new Error("compileRegex was called before loadRegexEngine.");
  try {
    const compiled = engine.compile(pattern, ignoreCase ? engine.CASE_INSENSITIVE : 0);
    let searches = 0;
    return (text) => {
      searches += 1;
      return searches <= SEARCHES_WITHOUT_AUTOMATON ? compiled.matcher(text).find() : compiled.test(text);
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
      ? `can't be compiled: ${errorMessage(error)}`
      : `uses ${feature}, which no engine runs in linear time; write it with "and", "or" and "not" instead`;
  return new TenterhookError("bad_pattern", `The regular expression ${shown} ${problem}.`, { cause: error });
}
