import { type Token, tokens } from "./tokens.ts";

/** One import of a file, in whatever way it is written. */
export interface Import {
  readonly from: string;
  readonly line: number;
  /** Gone after compilation. */
  readonly typeOnly: boolean;
}

/** Stands for an import whose target the source does not tell. */
export const COMPUTED = "(computed)";

/** Reads every import of a source: static, dynamic, type, re-export, require. */
export function importsOf(source: string): readonly Import[] {
  const code = tokens(source).filter(({ kind }) => kind !== "comment");
  return code.flatMap((token, index): Import[] => {
    if (token.kind !== "word" || isSign(code[index - 1], ".")) return [];
    const isCall = isSign(code[index + 1], "(");
    if ((token.text === "import" || token.text === "require") && isCall) return [called(code, index)];
    if (token.text === "import" || token.text === "export") return declared(code, index);
    return [];
  });
}

function called(code: readonly Token[], index: number): Import {
  const target = code[index + 2];
  const isPlain = target?.kind === "string" && (isSign(code[index + 3], ")") || isSign(code[index + 3], ","));
  return {
    from: isPlain ? target.text : COMPUTED,
    line: code[index]?.line ?? 0,
    typeOnly: isWord(code[index - 1], "typeof"),
  };
}

/** `import …` and `export … from`: reads on while the tokens are those of a declaration. */
function declared(code: readonly Token[], index: number): Import[] {
  const line = code[index]?.line ?? 0;
  const isExport = isWord(code[index], "export");
  const first = code[index + 1];
  if (!isExport && first?.kind === "string") return [{ from: first.text, line, typeOnly: false }];

  const saysType = isWord(first, "type") && !isWord(code[index + 2], "from");
  const start = saysType ? index + 2 : index + 1;
  if (isExport && !isSign(code[start], "{") && !isSign(code[start], "*")) return [];
  for (let end = start; end < code.length; end += 1) {
    const token = code[end];
    const target = code[end + 1];
    if (isWord(token, "from") && target?.kind === "string" && end > start)
      return [{ from: target.text, line, typeOnly: saysType || onlyTypes(code.slice(start, end)) }];
    const belongs =
      token?.kind === "word" || token?.kind === "string" || "{},*".includes(token?.text ?? "none");
    const listEnded = isSign(code[end - 1], "}") && end > start;
    if (!belongs || (listEnded && !isWord(token, "from"))) return [];
  }
  return [];
}

/** `{ type A, type B }`: the import is kept for its effects by some compilers, but names nothing that runs. */
function onlyTypes(clause: readonly Token[]): boolean {
  if (!isSign(clause[0], "{") || clause.length < 3) return false;
  return clause.every(
    (token, index) =>
      !(isSign(token, "{") || isSign(token, ",")) ||
      isWord(clause[index + 1], "type") ||
      isSign(clause[index + 1], "}"),
  );
}

const isSign = (token: Token | undefined, text: string): boolean =>
  token?.kind === "sign" && token.text === text;
const isWord = (token: Token | undefined, text: string): boolean =>
  token?.kind === "word" && token.text === text;
