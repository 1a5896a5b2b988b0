/** What is missing in the middle of a long output. */
export interface LeftOut {
  readonly lines: number;
  readonly characters: number;
}

/** The line that stands for it. */
export function leftOutMark({ lines, characters }: LeftOut, where: string): string {
  return `[… ${characters} characters in ${lines} lines left out; ${where} …]`;
}

/** The ends of a text with such a line, and what is missing between them; `undefined` for a whole text. */
export function readLeftOut(
  text: string,
): { readonly head: string; readonly tail: string; readonly left: LeftOut } | undefined {
  const found = /^\[… (\d+) characters in (\d+) lines left out; .* …\]\n/m.exec(text);
  if (found === null) return undefined;
  const [mark, characters, lines] = found;
  return {
    head: text.slice(0, found.index),
    tail: text.slice(found.index + mark.length),
    left: { lines: Number(lines), characters: Number(characters) },
  };
}
