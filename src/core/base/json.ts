/** Lists and items that are known to be frozen all the way down, so that they can be shared without a copy. */
const deeplyFrozen = new WeakSet<object>();

const DEEPEST = 1000;

/**
 * A frozen copy of a value as JSON would carry it, to be given to many events: lists in it, and what is frozen all the
 * way down already, are shared from then on and not copied again. The value itself is never touched. What JSON can't
 * carry becomes what a reader can use: a date its text, an error its name and message, bytes their number, a circle
 * `"[circular]"`, a function nothing. Never throws.
 */
export function frozenCopy<T>(value: T): T;
export function frozenCopy(value: unknown): unknown {
  return typeof value === "string" ? value : copy(value, lenientLeaf, [], false);
}

/** The place and the reason why a value is not plain JSON data. */
export class NotJsonError extends Error {}

/**
 * A frozen copy of plain JSON data.
 *
 * @throws NotJsonError that names the place of the first value JSON can't carry unchanged.
 */
export function frozenJson(value: unknown): unknown {
  return copy(value, strictLeaf, [], false);
}

/**
 * A frozen copy of what has a JSON form: plain data, and objects with `toJSON`, such as dates.
 *
 * @throws NotJsonError as {@link frozenJson} does.
 */
export function frozenJsonForm(value: unknown): unknown {
  return copy(value, formLeaf, [], false);
}

/** A copy that may be changed, of a value made by {@link frozenCopy} or {@link frozenJson}. */
export function thawedCopy<T>(value: T): T;
export function thawedCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => thawedCopy(item));
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(value)) put(out, key, thawedCopy(Reflect.get(value, key)));
  return out;
}

/** Registers a value as frozen all the way down, so that {@link frozenCopy} shares it. For values made here and by trusted callers. */
export function markFrozen<T extends object>(value: T): T {
  deeplyFrozen.add(value);
  return value;
}

/** True when two values have the same JSON; the order of keys does not count, nor do fields that are undefined. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameJson(ownField(a, key), ownField(b, key)));
}

function ownField(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value of a JSON string; `undefined` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object of a JSON string; empty when the string is something else. */
export function parseRecord(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}

export function isJsonText(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** True for an object that is neither an array nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function withoutUndefined<T extends object>(fields: T): WithoutUndefined<T>;
export function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns what replaces a value that is not a plain object or array; `undefined` to leave it out. */
type Leaf = (value: unknown, path: readonly object[]) => unknown;

function copy(value: unknown, leaf: Leaf, path: object[], inList: boolean): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object") return leaf(value, path);
  if (deeplyFrozen.has(value)) return value;
  if (path.length > DEEPEST || path.includes(value)) return leaf(value, path);
  const prototype: unknown = Object.getPrototypeOf(value);
  const list = Array.isArray(value);
  if (!list && prototype !== Object.prototype && prototype !== null) return leaf(value, path);
  path.push(value);
  const out = list ? copyList(value, leaf, path) : copyRecord(value, leaf, path, inList);
  path.pop();
  // Only lists and what is in them can be long enough for sharing to pay for the bookkeeping.
  if (list || inList) deeplyFrozen.add(out);
  return out === value ? value : Object.freeze(out);
}

/** The list itself when it is frozen and so are its items. */
function copyList(list: readonly unknown[], leaf: Leaf, path: object[]): object {
  // A list can have fields besides its items, which JSON does not carry.
  const shareable = Object.isFrozen(list) && Object.keys(list).length === list.length;
  let out: unknown[] | undefined = shareable ? undefined : [];
  for (let at = 0; at < list.length; at += 1) {
    const value = list[at];
    const item = copy(value, leaf, path, true) ?? null;
    if (out === undefined && item !== value) out = list.slice(0, at);
    out?.push(item);
  }
  return out ?? list;
}

/** The record itself when it is frozen and so is everything in it. */
function copyRecord(record: object, leaf: Leaf, path: object[], inList: boolean): object {
  const keys = Object.keys(record);
  let out: Record<string, unknown> | undefined = Object.isFrozen(record) ? undefined : {};
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? "";
    const value: unknown = read(record, key);
    const item = typeof value === "string" ? value : copy(value, leaf, path, inList);
    if (out === undefined) {
      if (item === value && item !== undefined) continue;
      out = {};
      for (const before of keys.slice(0, at)) put(out, before, Reflect.get(record, before));
    }
    if (item !== undefined) put(out, key, item);
  }
  return out ?? record;
}

function read(record: object, key: string): unknown {
  try {
    return Reflect.get(record, key);
  } catch {
    return "[unreadable]";
  }
}

/** Sets an own property, also one called `__proto__`. */
function put(out: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
  else out[key] = value;
}

function lenientLeaf(value: unknown, path: readonly object[]): unknown {
  switch (typeof value) {
    case "number":
      // JSON has no negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case "bigint":
      return value.toString();
    case "object":
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (path.includes(value)) return "[circular]";
  if (path.length > DEEPEST) return "[too deep]";
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return Object.freeze({ type: value.constructor.name, bytes: value.byteLength });
  }
  try {
    return copy(readable(value), lenientLeaf, [...path, value], false);
  } catch {
    return "[unreadable]";
  }
}

/** The data of an object of a class. */
function readable(value: object): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message };
  const toJson: unknown = Reflect.get(value, "toJSON");
  if (typeof toJson === "function") return toJson.call(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return { ...value };
}

function formLeaf(value: unknown, path: readonly object[]): unknown {
  if (typeof value !== "object" || value === null || path.includes(value)) return strictLeaf(value, path);
  const toJson: unknown = Reflect.get(value, "toJSON");
  if (typeof toJson !== "function") return strictLeaf(value, path);
  return copy(toJson.call(value), formLeaf, [...path, value], false);
}

function strictLeaf(value: unknown, path: readonly object[]): unknown {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  throw new NotJsonError(`it holds ${describe(value, path)}, which is not plain JSON data`);
}

function describe(value: unknown, path: readonly object[]): string {
  if (typeof value === "number" || typeof value === "bigint") return `the ${typeof value} ${value}`;
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  if (path.includes(value)) return "a circle";
  if (path.length > DEEPEST) return `more than ${DEEPEST} levels`;
  return `an object of class ${value.constructor?.name ?? "?"}`;
}
