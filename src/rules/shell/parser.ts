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

/** The script's tree, or `undefined` when the parser is not loaded or gives up on the text. */
export function parseShell(source: string): ParsedScript | undefined {
  try {
    return isHostile(source) ? undefined : loaded?.(source);
  } catch {
    return undefined;
  }
}
