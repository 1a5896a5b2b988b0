import { parseJson } from "../../core/base/json.ts";
import { type Located, positionsIn } from "./located.ts";
import type { Position } from "./problem.ts";

interface Table extends Located {
  readonly inside: Map<string | number, Table>;
}

const SPACE = /[ \t]*/y;
const SPACE_AND_COMMENTS = /(?:\s|#[^\n]*)*/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BARE_VALUE = /[^,\]}#\n]+/y;

/**
 * The positions in a TOML text that a parser has accepted: it reads keys, headers and brackets and believes
 * the rest. What it can't follow is simply not located, so that a message names the nearest thing around it.
 */
export function tomlPositions(text: string): Located {
  const scanner = new Scanner(text);
  const start: Position = { line: 1, column: 1 };
  const root = table(start, start);
  let current = root;
  for (scanner.skip(SPACE_AND_COMMENTS); !scanner.ended; scanner.skip(SPACE_AND_COMMENTS)) {
    const here = scanner.position();
    const isList = scanner.take("[[");
    if (isList || scanner.take("[")) {
      current = open(root, scanner.keys(), here, isList);
      scanner.take(isList ? "]]" : "]");
    } else if (!entry(scanner, current)) break;
  }
  return root;
}

function table(key: Position, value: Position): Table {
  return { key, value, inside: new Map() };
}

/** The table of a header; a header in double brackets adds a table to its list. */
function open(root: Table, keys: readonly string[], here: Position, isList: boolean): Table {
  let at = root;
  for (const [index, key] of keys.entries()) {
    const isLast = index === keys.length - 1;
    const next = at.inside.get(key) ?? table(here, here);
    at.inside.set(key, next);
    at = next;
    if (isLast && isList) {
      const item = table(here, here);
      at.inside.set(at.inside.size, item);
      return item;
    }
    // A header that goes on below a list means the last item of it.
    if (!isLast) at = at.inside.get(at.inside.size - 1) ?? at;
  }
  return at;
}

function entry(scanner: Scanner, into: Table): boolean {
  const key = scanner.position();
  const keys = scanner.keys();
  const last = keys.pop();
  if (last === undefined || !scanner.take("=")) return false;
  let at = into;
  for (const name of keys) {
    const next = at.inside.get(name) ?? table(key, key);
    at.inside.set(name, next);
    at = next;
  }
  scanner.skip(SPACE);
  at.inside.set(last, value(scanner, key));
  return true;
}

function value(scanner: Scanner, key?: Position): Table {
  const here = scanner.position();
  const found = table(key ?? here, here);
  if (scanner.take("[")) {
    for (scanner.skip(SPACE_AND_COMMENTS); !scanner.ended; scanner.skip(SPACE_AND_COMMENTS)) {
      if (scanner.take("]")) break;
      found.inside.set(found.inside.size, value(scanner));
      scanner.skip(SPACE_AND_COMMENTS);
      scanner.take(",");
    }
  } else if (scanner.take("{")) {
    for (scanner.skip(SPACE_AND_COMMENTS); !scanner.ended; scanner.skip(SPACE_AND_COMMENTS)) {
      if (scanner.take("}") || !entry(scanner, found)) break;
      scanner.skip(SPACE_AND_COMMENTS);
      scanner.take(",");
    }
  } else {
    scanner.string() ?? scanner.match(BARE_VALUE) ?? scanner.end();
  }
  return found;
}

class Scanner {
  readonly #text: string;
  readonly #at: (offset: number) => Position;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
    this.#at = positionsIn(text);
  }

  get ended(): boolean {
    return this.#offset >= this.#text.length;
  }

  position(): Position {
    return this.#at(this.#offset);
  }

  end(): void {
    this.#offset = this.#text.length;
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0];
    this.#offset += found?.length ?? 0;
    return found;
  }

  skip(pattern: RegExp): void {
    this.match(pattern);
  }

  take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#offset)) return false;
    this.#offset += sign.length;
    return true;
  }

  /** A quoted string of any of the four kinds. */
  string(): string | undefined {
    const start = this.#offset;
    const quote = this.#text[start];
    if (quote !== '"' && quote !== "'") return undefined;
    const quotes = this.#text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
    let at = start + quotes.length;
    while (at < this.#text.length && !this.#text.startsWith(quotes, at)) {
      at += quote === '"' && this.#text[at] === "\\" ? 2 : 1;
    }
    at += quotes.length;
    // Up to two quotes may come right before the closing ones.
    while (quotes.length === 3 && this.#text[at] === quote) at += 1;
    this.#offset = at;
    return this.#text.slice(start, at);
  }

  keys(): string[] {
    const keys: string[] = [];
    do {
      this.skip(SPACE);
      const key = this.match(BARE_KEY) ?? unquoted(this.string());
      if (key !== undefined) keys.push(key);
      this.skip(SPACE);
    } while (this.take("."));
    return keys;
  }
}

function unquoted(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const inner = text.slice(1, -1);
  // An escape of TOML alone stays as it is written: then a problem is shown at the table that has the key.
  return text.startsWith("'") ? inner : String(parseJson(text) ?? inner);
}
