/** The words a pattern asks for; quotes keep words together. `undefined` for a quote that nothing closes. */
export function splitWords(pattern: string): readonly string[] | undefined {
  return splitAll(pattern)?.filter((word) => !word.startsWith("!-"));
}

/** The options a pattern wants to be missing, written with a `!` in front. */
export function unwantedOptions(pattern: string): readonly string[] {
  return (splitAll(pattern) ?? []).filter((word) => word.startsWith("!-")).map((word) => word.slice(1));
}

function splitAll(pattern: string): readonly string[] | undefined {
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
