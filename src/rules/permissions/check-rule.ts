import { atPlace, TenterhookError } from "../../core/base/errors.ts";
import { parsePermissionRule, type SpecifierKind } from "./parse-rule.ts";
import { checkFilePattern, readCommand, readHost } from "./specifiers.ts";

const CHECKS: Readonly<Record<SpecifierKind, (text: string, value: string) => unknown>> = {
  command: readCommand,
  domain: readHost,
  reads: checkFilePattern,
  writes: checkFilePattern,
};

/**
 * Refuses a rule that can't be read, before anybody works by it.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` that names the rule.
 */
export function checkPermissionRule(given: unknown): void {
  const { text, specifier } = parsePermissionRule(given);
  if (specifier === undefined) return;
  try {
    CHECKS[specifier.kind](text, specifier.value);
  } catch (error) {
    throw atRule(error, text);
  }
}

/** An error of a pattern, with the rule it stands in. */
export function atRule(error: unknown, text: string): unknown {
  return error instanceof TenterhookError && error.code === "bad_pattern"
    ? atPlace(error, `The permission rule ${JSON.stringify(text)}`)
    : error;
}
