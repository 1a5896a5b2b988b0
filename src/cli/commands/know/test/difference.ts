import type { Difference } from "../../../../know/cases/compare.ts";

/** What was expected and what came, in one line. */
export function differenceText({ key, expected, actual }: Difference): string {
  return `${key}: expected ${shown(expected)}, got ${shown(actual)}`;
}

export function shown(value: unknown): string {
  if (value === undefined || value === false) return "nothing";
  if (value === true) return "something";
  return typeof value === "string" ? value : JSON.stringify(value);
}
