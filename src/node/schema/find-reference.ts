import { isRecord } from "../../core/base/json.ts";
import type { Schema } from "./schema-site.ts";

/** The schema that `$ref` or `$dynamicRef` names; `undefined` without one. One that is not there refuses nothing. */
export function findReference({ $ref, $dynamicRef }: Schema, root: Schema): unknown {
  const reference = typeof $ref === "string" ? $ref : $dynamicRef;
  if (typeof reference !== "string") return undefined;
  const [id = "", fragment = ""] = reference.split("#", 2);
  const base = id === "" || id === root.$id ? root : named(root, "$id", id);
  if (base === undefined) return {};
  if (fragment === "" || fragment.startsWith("/")) return byPointer(base, fragment) ?? {};
  return named(base, "$anchor", fragment) ?? named(base, "$dynamicAnchor", fragment) ?? {};
}

function byPointer(base: Schema, pointer: string): unknown {
  let found: unknown = base;
  for (const part of pointer.split("/").slice(1)) {
    const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const MOST_LOOKED_AT = 5000;

/** The subschema with this id or anchor. An id may be relative to that of the root. */
function named(root: Schema, keyword: string, name: string): Schema | undefined {
  const waiting: unknown[] = [root];
  for (let looked = 0; looked < MOST_LOOKED_AT && waiting.length > 0; looked += 1) {
    const value = waiting.shift();
    if (isRecord(value) && typeof value[keyword] === "string" && isName(value[keyword], name)) return value;
    if (typeof value === "object" && value !== null) waiting.push(...Object.values(value).slice(0, 1000));
  }
  return undefined;
}

function isName(given: string, name: string): boolean {
  return given === name || given.endsWith(`/${name}`) || given === `#${name}`;
}
