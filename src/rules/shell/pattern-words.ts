/** Splits a pattern at spaces; quotes keep words together. `undefined` for a quote that nothing closes. */
export function splitWords(pattern: string): readonly string[] | undefined {
  const words: string[] = [];
  let current: string | undefined;
  let quote = "";
  for (const char of pattern) {
    if (quote !== "") {
      if (char === quote) quote = "";
      else current = (current ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      current ??= "";
    } else if (/\s/.test(char)) {
      if (current !== undefined) words.push(current);
      current = undefined;
    } else {
      current = (current ?? "") + char;
    }
  }
  if (quote !== "") return undefined;
  if (current !== undefined) words.push(current);
  return words;
}
