import { createScanner } from "jsonc-parser";
import { CST, Lexer } from "yaml";

/*
 * Parsers that call themselves for every bracket run out of stack on a hostile file, and V8 ends the whole process when
 * that happens inside a regular expression. So the brackets are counted first, without a parser.
 */

/** How deep brackets, or dashes on one line, may be nested. */
export const DEEPEST = 100;

/** An indentation no file needs; every level of a block takes at least one column of it. */
const WIDEST_INDENTATION = 200;

/** Where a JSON text is nested too deeply, as an offset. */
export function tooDeepInJson(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const sign = text[scanner.getTokenOffset()] ?? "";
    if ("[{".includes(sign)) depth += 1;
    else if ("]}".includes(sign)) depth -= 1;
    if (depth > DEEPEST) return scanner.getTokenOffset();
  }
  return undefined;
}

/** How many aliases a file may have: finding the anchor of each takes a walk through the whole file. */
const MOST_ALIASES = 100;

/** What begins a value inside another one on the same line, outside of brackets. */
const INDICATORS: readonly unknown[] = ["seq-item-ind", "explicit-key-ind", "map-value-ind"];

/** Where a YAML text is nested too deeply or has too many aliases, as an offset. */
export function tooDeepInYaml(text: string): number | undefined {
  let offset = 0;
  let brackets = 0;
  let indicators = 0;
  let aliases = 0;
  let isLineStart = true;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type: string | null = isScalar ? "scalar-text" : CST.tokenType(lexeme);
    isScalar = type === "scalar";
    if (isScalar || type === "doc-mode" || type === "flow-error-end") continue;
    if (type === "flow-map-start" || type === "flow-seq-start") brackets += 1;
    else if (type === "flow-map-end" || type === "flow-seq-end") brackets = Math.max(0, brackets - 1);
    else if (type === "doc-start" || type === "doc-end") brackets = 0;
    // Inside brackets they are siblings.
    if (brackets === 0 && INDICATORS.includes(type)) indicators += 1;
    else if (type === "newline") indicators = 0;
    if (type === "alias") aliases += 1;
    if (aliases > MOST_ALIASES) return offset;
    const isWide = isLineStart && type === "space" && lexeme.length > WIDEST_INDENTATION;
    if (brackets > DEEPEST || (brackets === 0 && (indicators > DEEPEST || isWide))) return offset;
    isLineStart = type === "newline";
    offset += lexeme.length;
  }
  return undefined;
}
