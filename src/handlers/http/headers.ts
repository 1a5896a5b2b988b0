import { validateHeaderName, validateHeaderValue } from "node:http";
import { TenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Headers = Readonly<Record<string, string>>;

export interface HeaderTemplate {
  readonly variables: readonly string[];
  /**
   * The headers with every variable in place.
   *
   * @throws HookFailureError `missing` without a variable; `error` when one holds what no header can. Never with a value.
   */
  fill(environment: Environment): Headers;
}

const VARIABLE = /\$\{([^}]*)\}/g;

/** Headers that the request sets itself. */
const RESERVED = [
  "connection",
  "content-length",
  "content-type",
  "transfer-encoding",
  "x-tenterhook-signature",
];

/**
 * Reads headers in which `${NAME}` stands for a variable.
 *
 * @throws TenterhookError `invalid_option` for a name no header can have, and for a variable that is not listed.
 */
export function compileHeaders(headers: Headers, listed: readonly string[]): HeaderTemplate {
  const variables = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    checkName(name);
    for (const [written, variable = ""] of value.matchAll(VARIABLE)) {
      if (!listed.includes(variable)) {
        throw new TenterhookError(
          "invalid_option",
          `the header ${name} names ${written}, which env does not list.${didYouMean(variable, listed)}`,
          { hint: "Only variables listed in env are put into headers." },
        );
      }
      variables.add(variable);
    }
  }
  return {
    variables: [...variables],
    fill: (environment) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => {
          const filled = value.replaceAll(VARIABLE, (_, variable: string) =>
            variableOf(environment, variable),
          );
          checkValue(name, filled);
          return [name, filled];
        }),
      ),
  };
}

/**
 * The value of a variable that must be set.
 *
 * @throws HookFailureError `missing`.
 */
export function variableOf(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === "") throw new HookFailureError("missing", notSet(name));
  return value;
}

export function notSet(name: string): string {
  return `The variable ${name} is not set.`;
}

function checkName(name: string): void {
  const reserved = RESERVED.includes(name.toLowerCase());
  if (!reserved && isValid(() => validateHeaderName(name))) return;
  const problem = reserved ? "is set by the request itself" : "is not the name of a header";
  throw new TenterhookError("invalid_option", `${JSON.stringify(name)} in headers ${problem}.`);
}

/** Does not use Node's message, which could contain the value. */
function checkValue(name: string, value: string): void {
  if (isValid(() => validateHeaderValue(name, value))) return;
  throw new HookFailureError("error", `The header ${name} would hold a character that no header can have.`);
}

function isValid(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
