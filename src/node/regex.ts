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
  const require = builtin.module.createRequire(import.meta.url);
  const { RE2JS }: typeof import("re2js") = require("re2js");
  const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return (text) => compiled.test(text);
};
