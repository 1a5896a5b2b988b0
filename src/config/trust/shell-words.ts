/** How deep texts inside texts are looked into: `sh -c "bash -c '…'"`. */
const DEEPEST = 4;

/** Variables that hold the project's root when a hook runs. */
const ROOT_VARIABLES =
  /\$(?:\{(?:CLAUDE|TENTERHOOK)_PROJECT_DIR\}|(?:CLAUDE|TENTERHOOK)_PROJECT_DIR\b|PWD\b|\{PWD\})/g;

/**
 * The words of a shell line that could name a file. Reads more generously than a shell would: a word too many costs
 * nothing, since only those that are files count; a word too few would leave a script unlooked at.
 */
export function shellWords(line: string, root: string, depth = 0): readonly string[] {
  const words = new Set<string>();
  for (const split of splitLine(line)) {
    // After splitting: the project's path may have blanks in it.
    const word = split.replaceAll(ROOT_VARIABLES, () => root);
    words.add(word);
    for (const part of word.split(/[=:,]/)) words.add(part);
    if (depth < DEEPEST && /[\s;&|<>()'"]/.test(word))
      for (const inner of shellWords(word, root, depth + 1)) words.add(inner);
  }
  words.delete("");
  return [...words];
}

/** Splits at blanks and operators outside of quotes, and takes the quotes away. */
function splitLine(line: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
      else word += letter;
    } else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === "\\") {
      at += 1;
      word += line.charAt(at);
    } else if (/[\s;&|<>()`]/.test(letter)) {
      words.push(word);
      word = "";
    } else word += letter;
  }
  return [...words, word].filter((found) => found !== "");
}
