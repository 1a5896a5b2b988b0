const MOST_CHARACTERS = 8;

/** Just after the `]` that closes the class whose `[` is at `start`, or `undefined`. */
export function classEnd(source: string, start: number): number | undefined {
  let at = start + 1;
  if (source[at] === "^") at += 1;
  if (source[at] === "]") at += 1;
  for (; at < source.length; at += 1) {
    if (source[at] === "]") return at + 1;
    if (source[at] === "\\") at += 1;
    else if (source.startsWith("[:", at)) {
      const named = source.indexOf(":]", at + 2);
      if (named !== -1) at = named + 1;
    }
  }
  return undefined;
}

/**
 * The characters of a class, given without its brackets, when they are few, ASCII and spelt plainly; `undefined`
 * otherwise. An escaped character is taken only when it is punctuation.
 */
export function classTexts(inside: string): readonly string[] | undefined {
  if (inside.startsWith("^") || inside.includes("[") || !/^[\0-\x7f]*$/.test(inside)) return undefined;
  if (/\\[A-Za-z0-9]/.test(inside.replaceAll("\\\\", "")) || inside.includes("\\\\")) return undefined;
  const texts = new Set<string>();
  for (let at = 0; at < inside.length; at += 1) {
    const low = inside[at] === "\\" ? inside[++at] : inside[at];
    if (low === undefined) return undefined;
    let high = low;
    if (inside[at + 1] === "-" && at + 2 < inside.length) {
      at += 2;
      const end = inside[at] === "\\" ? inside[++at] : inside[at];
      if (end === undefined) return undefined;
      high = end;
    }
    for (let code = low.charCodeAt(0); code <= high.charCodeAt(0); code += 1) {
      texts.add(String.fromCharCode(code));
      if (texts.size > MOST_CHARACTERS) return undefined;
    }
  }
  return texts.size === 0 ? undefined : [...texts];
}
