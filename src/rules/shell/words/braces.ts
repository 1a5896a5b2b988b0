const MOST_RESULTS = 128;

/** What `{a,b}` or `{1..3}` stands for; `undefined` when it is too much or no expansion at all. */
export function expandBraces(source: string): readonly string[] | undefined {
  const inside = source.slice(1, -1);
  const range = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,4}))?$/.exec(inside);
  if (range !== null) return expandRange(range[1] ?? "", range[2] ?? "", Number(range[3] ?? 1));
  const alternatives = splitAlternatives(inside);
  return alternatives.length > 1 && alternatives.length <= MOST_RESULTS ? alternatives : undefined;
}

function expandRange(from: string, to: string, step: number): readonly string[] | undefined {
  const numeric = /\d/.test(from) && /\d/.test(to);
  const first = numeric ? Number(from) : (from.codePointAt(0) ?? 0);
  const last = numeric ? Number(to) : (to.codePointAt(0) ?? 0);
  const width = Math.max(1, Math.abs(step));
  if (Math.abs(last - first) / width >= MOST_RESULTS) return undefined;
  const results: string[] = [];
  for (let at = first; first <= last ? at <= last : at >= last; at += first <= last ? width : -width) {
    results.push(numeric ? String(at) : String.fromCodePoint(at));
  }
  return results;
}

/** Splits at the commas that are not inside quotes, nested braces or `$(…)`. */
function splitAlternatives(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === "\\") {
      at += 1;
    } else if (char === '"' || char === "'") {
      quote = char;
    } else if (char === "{" || char === "(") {
      depth += 1;
    } else if (char === "}" || char === ")") {
      depth -= 1;
    } else if (char === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
