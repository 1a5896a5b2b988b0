/** A piece of TypeScript source. Strings carry their text without the quotes. */
export interface Token {
  readonly kind: "word" | "string" | "template" | "regex" | "comment" | "sign";
  readonly text: string;
  readonly line: number;
}

const WORD = /[\p{ID_Start}$_#\d][\p{ID_Continue}$\u200c\u200d]*/uy;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;

/** Words after which a slash begins a regular expression. */
const BEFORE_VALUE = new Set(
  "return typeof case in of do else void delete throw new instanceof await yield".split(" "),
);

/**
 * Splits TypeScript source into tokens: enough to tell code from text and comments, and to find imports. The compiler
 * of TypeScript 7 has no API for it, and esbuild forgets type imports. It does not know JSX.
 */
export function tokens(source: string): readonly Token[] {
  const found: Token[] = [];
  const open: ("{" | "${")[] = [];
  let at = 0;
  let line = 1;

  const read = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  const push = (kind: Token["kind"], raw: string, text = raw) => {
    found.push({ kind, text, line });
    line += raw.split("\n").length - 1;
    at += raw.length;
  };
  /** Reads template text up to its end or its next expression; `at` is behind a backtick or a closing brace. */
  const templateText = () => {
    push("template", read(TEMPLATE_TEXT) ?? "");
    if (source[at] === "$") {
      open.push("${");
      push("sign", "${");
    } else at += 1;
  };

  while (at < source.length) {
    const next = source[at] ?? "";
    if (/\s/.test(next)) {
      if (next === "\n") line += 1;
      at += 1;
      continue;
    }
    const comment = read(COMMENT);
    const text = read(STRING);
    const word = read(WORD);
    const regex = next === "/" && valueExpected(found) ? read(REGEX) : undefined;
    if (comment !== undefined) push("comment", comment);
    else if (text !== undefined) push("string", text, text.slice(1, -1));
    else if (word !== undefined) push("word", word);
    else if (regex !== undefined) push("regex", regex);
    else if (next === "`") {
      at += 1;
      templateText();
    } else if (next === "}" && open.pop() === "${") {
      at += 1;
      templateText();
    } else {
      if (next === "{") open.push("{");
      push("sign", next);
    }
  }
  return found;
}

function valueExpected(before: readonly Token[]): boolean {
  const last = before.findLast(({ kind }) => kind !== "comment");
  if (last === undefined) return true;
  if (last.kind === "word") return BEFORE_VALUE.has(last.text);
  return last.kind === "sign" && ![")", "]", "}"].includes(last.text);
}
