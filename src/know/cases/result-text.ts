import { isRegExp } from "node:util/types";
import type { AskedHook } from "./actual.ts";
import type { Difference } from "./compare.ts";

/** What was expected and what came, in one line. */
export function differenceText({ key, expected, actual }: Difference): string {
  return `${key}: expected ${shown(expected)}, got ${shown(actual)}`;
}

export function shown(value: unknown): string {
  if (value === undefined || value === false) return "nothing";
  if (value === true) return "something";
  return typeof value === "string" || isRegExp(value) ? String(value) : JSON.stringify(value);
}

export function tookPart(hooks: readonly AskedHook[]): string {
  if (hooks.length === 0) return "No hook had anything to say.";
  const said = hooks.map(({ name, said, rule, reason }) => {
    const why = said === "failed" ? reason : rule;
    return `${name} ${said}${why === undefined ? "" : ` (${why})`}`;
  });
  return `Hooks: ${said.join("; ")}`;
}

/** The hooks that were not asked. */
export function namesOfSilent(hooks: readonly AskedHook[]): string {
  const names = hooks.filter(({ said }) => said === "not evaluated").map(({ name }) => name);
  return [...new Set(names)].join(", ");
}
