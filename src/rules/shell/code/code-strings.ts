import { unescaped } from "../programs/emulate.ts";

export interface CodeString {
  /** Its text, with escaped quotes and backslashes resolved. */
  readonly value: string;
  /** Where it begins, quote included. */
  readonly at: number;
  /** Where it ends, quote included. */
  readonly end: number;
  readonly quote: string;
}

const QUOTE = /["'`]/g;
/** The escapes that languages have in common. */
const ESCAPE = /\\(?:["'`\\nrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{3})/g;

/** The strings of Python, Perl, Ruby, JavaScript or PHP code, in time linear in its length. */
export function codeStrings(code: string): readonly CodeString[] {
  const found: CodeString[] = [];
  // Where a search for a closing quote has ended in vain. One that begins before would end there too.
  const unclosed = new Map<string, number>();
  QUOTE.lastIndex = 0;
  for (let match = QUOTE.exec(code); match !== null; match = QUOTE.exec(code)) {
    const at = match.index;
    const quote = code.startsWith(match[0].repeat(3), at) ? match[0].repeat(3) : match[0];
    if (at < (unclosed.get(quote) ?? 0)) continue;
    const end = endOfString(code, at + quote.length, quote);
    if (!code.startsWith(quote, end)) {
      unclosed.set(quote, end);
      continue;
    }
    const inside = code.slice(at + quote.length, end);
    const value = inside.includes("\\") ? inside.replace(ESCAPE, unescaped) : inside;
    found.push({ value, at, end: end + quote.length, quote });
    QUOTE.lastIndex = end + quote.length;
  }
  return found;
}

/** Where the closing quote is, or where the text ends, or the line for quotes that must close on it. */
function endOfString(code: string, from: number, quote: string): number {
  const oneLine = quote === '"' || quote === "'";
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code.startsWith(quote, at)) return at;
    else if (oneLine && code[at] === "\n") return at;
  }
  return code.length;
}

/** The code with every string empty. */
export function withoutStrings(text: string, strings: readonly CodeString[]): string {
  let rest = "";
  let from = 0;
  for (const { at, end } of strings) {
    rest += `${text.slice(from, at)}""`;
    from = end;
  }
  return rest + text.slice(from);
}
