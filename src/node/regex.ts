import { TenterhookError } from "../core/base/errors.ts";
import type { RegexCompiler } from "../core/match/tool-names.ts";
import { builtin } from "./builtin.ts";

/** True for a source that JavaScript takes as a regular expression. */
export function isRegex(source: unknown): boolean {
  try {
    return typeof source === "string" && new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * Regular expressions that take time linear in the text. The engine behind them is loaded with the first expression,
 * so that a program that has none never pays for it.
 */
export const linearRegex: RegexCompiler = (source, ignoreCase) => {
  const { RE2JS } = engine();
  const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return (text) => compiled.test(text);
};

/**
 * The engine: in the installed package a part of it, else a package of its own.
 *
 * @throws TenterhookError `bad_pattern` in a bundle without it.
 */
function engine(): typeof import("re2js") {
  const require = builtin.module.createRequire(import.meta.url);
  try {
    return require("#package/re2js");
  } catch {
    return besideBundle(require);
  }
}

function besideBundle(require: NodeJS.Require): typeof import("re2js") {
  try {
    return require("re2js");
  } catch (cause) {
    throw new TenterhookError("bad_pattern", "A bundle has no engine for regular expressions of matchers.", {
      hint: "Install it where the bundle runs: npm install re2js@2",
      cause,
    });
  }
}
