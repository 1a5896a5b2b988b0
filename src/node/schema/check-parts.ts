import { isRecord, listOf } from "../../core/base/json.ts";
import { matches } from "./check-values.ts";
import {
  type Check,
  fieldAt,
  inside,
  itemAt,
  newSeen,
  problem,
  type Schema,
  type Site,
  stringsOf,
} from "./schema-site.ts";

const MOST_PROBLEMS = 5;

/** The fields of an object. */
export function checkProperties(check: Check, schema: Schema, value: Schema, site: Site): void {
  const known = isRecord(schema.properties) ? schema.properties : {};
  const patterns = isRecord(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const missing = (name: string): void => problem(fieldAt(site, name), "is missing");
  for (const name of stringsOf(schema.required)) if (!Object.hasOwn(value, name)) missing(name);
  for (const [name, item] of Object.entries(value)) {
    const field = fieldAt(site, name);
    const isKnown = Object.hasOwn(known, name);
    if (isKnown) check(known[name], item, field);
    // What a pattern that can't be compiled means is unknown.
    const fitting = patterns.filter(([pattern]) => matches(pattern, name) !== false);
    for (const [pattern, part] of fitting) if (matches(pattern, name) === true) check(part, item, field);
    if (isKnown || fitting.length > 0) site.seen.names.add(name);
    else if (Object.hasOwn(schema, "additionalProperties")) {
      site.seen.names.add(name);
      if (schema.additionalProperties === false)
        problem(field, `is no field; there are ${Object.keys(known).join(", ") || "none"}`);
      else check(schema.additionalProperties, item, field);
    }
    if (Object.hasOwn(schema, "propertyNames"))
      check(schema.propertyNames, name, { ...field, seen: newSeen() });
  }
  checkDependencies(check, schema, value, site, missing);
  if (!Object.hasOwn(schema, "unevaluatedProperties")) return;
  for (const [name, item] of Object.entries(value))
    if (!site.seen.names.has(name)) {
      site.seen.names.add(name);
      check(schema.unevaluatedProperties, item, fieldAt(site, name));
    }
}

/** What a field requires: other fields, or a schema. Draft 7 has both under one name. */
function checkDependencies(
  check: Check,
  { dependentRequired, dependentSchemas, dependencies }: Schema,
  value: Schema,
  site: Site,
  missing: (name: string) => void,
): void {
  for (const rules of [dependentRequired, dependentSchemas, dependencies])
    for (const [name, rule] of isRecord(rules) ? Object.entries(rules) : []) {
      if (!Object.hasOwn(value, name)) continue;
      if (!Array.isArray(rule)) check(rule, value, inside(site));
      else for (const other of stringsOf(rule)) if (!Object.hasOwn(value, other)) missing(other);
    }
}

/** The items of a list. In draft 7 a list of `items` is what `prefixItems` is now, and `additionalItems` the rest. */
export function checkItems(check: Check, schema: Schema, value: readonly unknown[], site: Site): void {
  const isOld = Array.isArray(schema.items);
  const first = listOf(isOld ? schema.items : schema.prefixItems);
  const restName = isOld ? "additionalItems" : "items";
  const hasRest = Object.hasOwn(schema, restName);
  const { seen } = site;
  if (first.length > 0 && seen.items !== "all") seen.items = Math.max(seen.items, first.length);
  if (hasRest) seen.items = "all";
  for (const [index, item] of value.entries()) {
    if (site.problems.length > MOST_PROBLEMS) return;
    if (index < first.length) check(first[index], item, itemAt(site, index));
    else if (hasRest) check(schema[restName], item, itemAt(site, index));
    else break;
  }
  const contained = checkContains(check, schema, value, site);
  if (!Object.hasOwn(schema, "unevaluatedItems") || seen.items === "all") return;
  for (const [index, item] of value.entries())
    if (index >= seen.items && !contained.has(index))
      check(schema.unevaluatedItems, item, itemAt(site, index));
  seen.items = "all";
}

/** Returns the items that fit `contains`. */
function checkContains(check: Check, schema: Schema, value: readonly unknown[], site: Site): Set<number> {
  const fitting = new Set<number>();
  if (!Object.hasOwn(schema, "contains")) return fitting;
  for (const [index, item] of value.entries()) {
    const own = { ...itemAt(site, index), problems: [] };
    check(schema.contains, item, own);
    if (own.problems.length === 0) fitting.add(index);
  }
  const least = typeof schema.minContains === "number" ? schema.minContains : 1;
  const most = typeof schema.maxContains === "number" ? schema.maxContains : Number.POSITIVE_INFINITY;
  if (fitting.size < least) problem(site, `must contain ${least} items of a kind, but has ${fitting.size}`);
  if (fitting.size > most)
    problem(site, `must contain at most ${most} items of a kind, but has ${fitting.size}`);
  return fitting;
}
