import type { ParsedScript, SyntaxNode } from "unbash";

type Parse = (source: string) => ParsedScript;
type EachChild = (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;

let loaded: Parse | undefined;
let loadedEachChild: EachChild | undefined;
let loading: Promise<void> | undefined;

/** Loads the shell parser once. It is not loaded with the package: most processes never need it. */
export function loadShellParser(): Promise<void> {
  loading ??= import("unbash").then((module) => {
    loaded = module.parse;
    loadedEachChild = module.forEachChild;
  });
  return loading;
}

/** True once {@link loadShellParser} has finished. */
export function shellParserLoaded(): boolean {
  return loaded !== undefined;
}

/** Calls back for each child of a node of a tree. */
export function eachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void {
  loadedEachChild?.(node, callback);
}

const MOST_OPENINGS = 1_500;

/** The parser takes quadratic time for these two openings when nothing closes them. */
function isHostile(source: string): boolean {
  if (source.length <= MOST_OPENINGS) return false;
  let count = 0;
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charCodeAt(at);
    if (char === 0x7b || (char === 0x5b && source.charCodeAt(at - 1) === 0x24)) count += 1;
  }
  return count > MOST_OPENINGS;
}

/** The script's tree, or `undefined` when the parser is not loaded, the text is too long, or the parser gives up on it. */
export function parseShell(source: string): ParsedScript | undefined {
  try {
    return (
      parseWithoutBodies(source) ?? (isTooLong(source) || isHostile(source) ? undefined : loaded?.(source))
    );
  } catch {
    return undefined;
  }
}

const MOST_CHARACTERS = 65_536;
const FILLER = /^[ \t]*#.*$|[ \t]{2,}|\n{2,}/gm;

/** Blanks, comments and open heredocs cost little, so they count less. */
function isTooLong(source: string): boolean {
  if (source.length <= MOST_CHARACTERS) return false;
  const open = heredocs(source).reduce((sum, { start, end }) => sum + end - start, 0);
  return source.length > 2 * MOST_CHARACTERS || source.replaceAll(FILLER, "").length - open > MOST_CHARACTERS;
}

const SHORT = 8_192;
const MARK = "h3redoc";

/**
 * Parses a long script without the bodies of its heredocs, which are text to the shell and often code with thousands of
 * brackets. A body counts as one only when the parser finds it to be; `undefined` when it does not agree.
 */
function parseWithoutBodies(source: string): ParsedScript | undefined {
  if (source.length <= SHORT || source.includes(MARK)) return undefined;
  const bodies = new Map<string, string>();
  let text = "";
  let from = 0;
  for (const { start, end, expands } of heredocs(source)) {
    const body = source.slice(start, end);
    if (body.length <= MARK.length + 8 || (expands && /[$`\\]/.test(body))) continue;
    const mark = `${MARK}${bodies.size}\n`;
    bodies.set(mark, body);
    text += source.slice(from, start) + mark;
    from = end;
  }
  text += source.slice(from);
  if (bodies.size === 0 || isTooLong(text) || isHostile(text)) return undefined;
  const script = loaded?.(text);
  return script !== undefined && restored(script, bodies) ? script : undefined;
}

/** Puts the bodies back; false when one of them is not the whole body of a heredoc. */
function restored(script: ParsedScript, bodies: ReadonlyMap<string, string>): boolean {
  const found = new Set<string>();
  const pending: SyntaxNode[] = [script];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "HereDocBody") {
      const mark = node.text;
      const body = bodies.get(mark);
      if (body !== undefined) {
        found.add(mark);
        Object.defineProperty(node, "text", { value: body });
      }
    } else eachChild(node, (child) => void pending.push(child));
  }
  return found.size === bodies.size;
}

interface Heredoc {
  readonly start: number;
  readonly end: number;
  /** The shell expands variables and commands in it. */
  readonly expands: boolean;
}

/** Each that nothing ends is looked for in all of the text. */
const MOST_ENDLESS = 8;
const HEREDOC = /<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|(\\?)([\w.+-]+))/g;

/** What looks like the body of a heredoc: the lines between one with `<<WORD` and one with the word alone. */
function heredocs(source: string): readonly Heredoc[] {
  const found: Heredoc[] = [];
  let line = 0;
  let endless = 0;
  while (line < source.length && endless < MOST_ENDLESS) {
    const next = source.indexOf("\n", line) + 1;
    if (next === 0) break;
    let start = next;
    for (const [, dash, single, double, backslash, word] of source.slice(line, next).matchAll(HEREDOC)) {
      const end = endOf(single ?? double ?? word ?? "", dash === "-", source, start);
      if (end === undefined) {
        endless += 1;
        break;
      }
      found.push({ start, end: end.at, expands: word !== undefined && backslash === "" });
      start = end.next;
    }
    line = start;
  }
  return found;
}

/** Where the line is that ends a body, and the one after it. */
function endOf(word: string, indented: boolean, source: string, start: number) {
  for (let at = start; at < source.length; ) {
    const end = source.indexOf("\n", at);
    const line = source.slice(at, end === -1 ? source.length : end);
    if ((indented ? line.replace(/^\t+/, "") : line) === word)
      return { at, next: end === -1 ? source.length : end + 1 };
    if (end === -1) return undefined;
    at = end + 1;
  }
  return undefined;
}
