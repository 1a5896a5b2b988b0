import { jsonKeys } from "./json-keys.ts";

/**
 * The first key that an object of a JSON text gives twice. `JSON.parse` keeps the last one, so that a text put into a
 * reply without escapes could turn a refusal around. The text must be valid JSON.
 */
export function repeatedKey(json: string): string | undefined {
  const seen = new Map<number, Set<string>>();
  for (const { key, object } of jsonKeys(json)) {
    const keys = seen.get(object) ?? new Set();
    if (keys.has(key)) return key;
    seen.set(object, keys.add(key));
  }
  return undefined;
}
