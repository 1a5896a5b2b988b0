/** A key of a JSON text, where it stands. */
export interface JsonKey {
  readonly key: string;
  /** The object it belongs to: the same number for the keys of one object. */
  readonly object: number;
  /** The keys that lead to its object, with dots between; a list is an empty key. Cut off where it is deep. */
  readonly path: string;
  /** Where its value begins in the text. */
  readonly value: number;
}

interface Level {
  /** -1 for a list. */
  readonly object: number;
  readonly path: string;
  /** The key whose value comes next. */
  key: string;
}

const DEEPEST = 8;

/** Every key of a valid JSON text in order, also one that its object gives again, which `JSON.parse` drops. */
export function* jsonKeys(json: string): Generator<JsonKey> {
  const open: Level[] = [];
  let objects = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    const level = open.at(-1);
    if (character === "{" || character === "[") {
      const object = character === "{" ? objects++ : -1;
      open.push({ object, path: open.length > DEEPEST ? "…" : pathIn(level), key: "" });
    } else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const start = at;
      at = endOfText(json, start);
      const value = level === undefined || level.object === -1 ? -1 : valueAfter(json, at + 1);
      if (level === undefined || value === -1) continue;
      const key = String(JSON.parse(json.slice(start, at + 1)));
      level.key = key;
      yield { key, object: level.object, path: level.path, value };
    }
  }
}

/**
 * The first key that an object of a JSON text gives twice. `JSON.parse` drops all but the last, so that a string put into
 * a reply without escapes could turn a refusal around. The text must be valid JSON.
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

/** Where the text that begins here ends: at its closing quotation mark, or behind the last character. */
export function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

function pathIn(level: Level | undefined): string {
  if (level === undefined) return "";
  return level.path === "" ? level.key : `${level.path}.${level.key}`;
}

const COLON = /[\t\n\r ]*:[\t\n\r ]*/y;

/** Where the value behind a key begins; -1 when the text was no key. */
function valueAfter(json: string, end: number): number {
  COLON.lastIndex = end;
  return COLON.test(json) ? COLON.lastIndex : -1;
}
