const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * The value with `�` for each half of a surrogate pair in its texts and keys: providers refuse a request that has one, and
 * with it the whole conversation. What has none is shared, and so is everything that is not plain data.
 */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(LONE_SURROGATE, "\ufffd");
  if (Array.isArray(value)) {
    const items = value.map((item) => wellFormed(item));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const entries = Object.entries(value);
  const formed = entries.map(([key, item]) => [wellFormed(key), wellFormed(item)] as const);
  const isSame = formed.every(([key, item], at) => key === entries[at]?.[0] && item === entries[at]?.[1]);
  return isSame ? value : Object.fromEntries(formed);
}
