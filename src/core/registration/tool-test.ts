import { TenterhookError } from "../base/errors.ts";
import { compileNames, matchesName } from "../match/names.ts";
import { canonicalToolName, selectedTools, toolSpellings } from "../match/tool-names.ts";
import type { Ports } from "../ports.ts";

/**
 * A test for the tools that a matcher names.
 *
 * @throws TenterhookError `bad_pattern`; `unsupported_matcher` for a regular expression without an engine.
 */
export function toolTest(
  names: readonly string[],
  place: string,
  { regex }: Pick<Ports, "regex">,
): (name: string) => boolean {
  const [wrong, ...others] = names.filter(
    (name) => !/^\/.*\/i?$/s.test(name) && /[\^$()+\\]|\.[*+?]/.test(name),
  );
  if (wrong !== undefined) {
    const also = others.map((name) => ` The same goes for ${JSON.stringify(name)}.`).join("");
    throw new TenterhookError(
      "bad_pattern",
      `${place} has ${JSON.stringify(wrong)}, which fits no tool: it is a regular expression. Write it as ${JSON.stringify(`/${wrong}/`)}.${also}`,
    );
  }
  const wanted = compileNames(names, regex, place);
  const exact = new Set([...wanted.exact].flatMap(selectedTools));
  return (name) =>
    exact.has(canonicalToolName(name)) ||
    (wanted.patterns.length > 0 &&
      [name, ...toolSpellings(name)].some((spelling) => matchesName(wanted, spelling)));
}
