/** The paths `find` would come across, as globs: its starting points with the names it is asked for. */
export function foundBy(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  const roots = end === -1 ? words : words.slice(0, end);
  const starts = roots.length === 0 ? ["."] : roots;
  const patterns = namesAskedFor(words).map((name) => {
    if (!name.includes("/")) return `**/${name}`;
    return name.replace(/^(?:\.\/)?\*+\//, "**/");
  });
  if (patterns.length === 0) patterns.push("**");
  return starts.flatMap((root) =>
    patterns.map((pattern) => (/^[/~]/.test(pattern) ? pattern : `${root.replace(/\/+$/, "")}/${pattern}`)),
  );
}

function namesAskedFor(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const asked = /^-i?(?:name|path|wholename)$/.test(word) && !/^(?:!|-not)$/.test(words[index - 1] ?? "");
    return asked ? [words[index + 1] ?? "*"] : [];
  });
}
