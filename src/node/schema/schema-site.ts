import { isRecord, listOf } from "../../core/base/json.ts";
/** Where a check is: the place in the input, and what limits it. */

export type Schema = Readonly<Record<string, unknown>>;

export interface Site {
  readonly root: Schema;
  /** The place in the input, as `todos[0].status`; empty for the input itself. */
  readonly at: string;
  readonly depth: number;
  readonly problems: string[];
  readonly budget: Budget;
  /** What subschemas have looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
  readonly seen: { readonly names: Set<string>; items: number | "all" };
}

export type Check = (schema: unknown, value: unknown, site: Site) => void;

/** What is left of the steps of one check, whatever the schema makes of them. */
export interface Budget {
  steps: number;
  /** True once the schema was too complex to be checked to the end. */
  exhausted: boolean;
}

const LONGEST_SHOWN = 60;

export function problem(site: Site, text: string): void {
  site.problems.push(`${site.at === "" ? "The input" : site.at} ${text}.`);
}

export function newSeen(): Site["seen"] {
  return { names: new Set(), items: 0 };
}

/** The same place, one level deeper into the schema. */
export function inside(site: Site): Site {
  return { ...site, depth: site.depth + 1 };
}

/** A field or an item of the input. */
function within(site: Site, at: string): Site {
  return { ...site, at, depth: site.depth + 1, seen: newSeen() };
}

export function fieldAt(site: Site, name: string): Site {
  return within(site, site.at === "" ? name : `${site.at}.${name}`);
}

export function itemAt(site: Site, index: number): Site {
  return within(site, `${site.at}[${index}]`);
}

/** Adds what a subschema that holds has looked at. */
export function addSeen(to: Site["seen"], { names, items }: Site["seen"]): void {
  for (const name of names) to.names.add(name);
  if (items === "all" || to.items === "all") to.items = "all";
  else to.items = Math.max(to.items, items);
}

export function stringsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === "string");
}

export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return "an object";
  if (typeof value === "string" && value.length > LONGEST_SHOWN)
    return `a string of ${value.length} characters`;
  return JSON.stringify(value) ?? `${typeof value}`;
}
