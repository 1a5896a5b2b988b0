/**
 * The value with `�` for each half of a surrogate pair in its texts and keys: providers refuse a request that has one, and
 * with it the whole conversation. A value that has none is returned as it is; so is everything that is not plain data.
 */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  return isWellFormed(value) ? value : repaired(value);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  return (
    !isPlain(value) || (Object.keys(value).every(isWellFormed) && Object.values(value).every(isWellFormed))
  );
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), repaired(item)] as const),
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
