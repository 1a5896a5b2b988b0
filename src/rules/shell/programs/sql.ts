/** Where text, or a comment, that begins with the key ends. */
const ENDS: Readonly<Record<string, string>> = { "'": "'", "--": "\n", "/*": "*/" };

/** Then text may be run, or a quote may stand for itself, or a comment may be none. */
const RUNS_TEXT = /\\'|\/\*!|\b(?:execute|exec|prepare|do)\b/i;

/**
 * SQL with what its string literals and comments say taken out, since `LIKE '%drop table%'` drops nothing. One that
 * does not end is kept: then it was none, or the text is not SQL.
 */
export function sqlWithoutText(text: string): string {
  if (!/'|--|\/\*/.test(text) || RUNS_TEXT.test(text)) return text;
  let kept = "";
  let from = 0;
  const missing = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const key = text[at] === "'" ? "'" : text.slice(at, at + 2);
    const end = Object.hasOwn(ENDS, key) && !missing.has(key) ? ENDS[key] : undefined;
    if (end === undefined || !mayBegin(key, text[at - 1])) continue;
    const close = text.indexOf(end, at + key.length);
    if (close === -1) {
      missing.add(key);
      continue;
    }
    kept += `${text.slice(from, at)}${key === "'" ? "''" : " "}`;
    at = close + end.length - 1;
    from = at + 1;
  }
  return kept + text.slice(from);
}

/** A comment of dashes stands after white space here; `a--b` is arithmetic, or part of an option. */
function mayBegin(key: string, before: string | undefined): boolean {
  return key !== "--" || before === undefined || /\s|;/.test(before);
}
