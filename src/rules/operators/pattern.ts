/**
 * The shape of a pattern, as far as the index cares: which characters it needs in a row. Globs, regular expressions
 * and plain texts are all read into it.
 */
export type Pattern =
  /** These characters, in this order. */
  | { readonly type: "text"; readonly text: string }
  /** Something the index knows nothing about, of any length. */
  | { readonly type: "any" }
  | { readonly type: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly type: "choice"; readonly options: readonly Pattern[] };

/** A list of texts of which at least one occurs in whatever the pattern fits, in lower case. */
export type Clause = readonly string[];

interface Need {
  /** Every text the pattern fits, when these are few. */
  readonly exact: readonly string[] | undefined;
  /** What whatever it fits must contain: one text of each clause. */
  readonly clauses: readonly Clause[];
}

const MOST_TEXTS = 24;
const MOST_IN_CLAUSE = 512;
const LONGEST_TEXT = 256;
const ASCII = /^[\0-\x7f]*$/;

/**
 * The clauses a pattern requires: for each of them, a text the pattern fits contains one of its texts once both are
 * folded by {@link fold}. None means that nothing is known.
 */
export function requiredTexts(pattern: Pattern): readonly Clause[] {
  const need = needOf(pattern);
  return [...need.clauses, ...clauseOf(need.exact)];
}

function needOf(pattern: Pattern): Need {
  switch (pattern.type) {
    case "text":
      return textNeed(pattern.text);
    case "any":
      return { exact: undefined, clauses: [] };
    case "sequence":
      return sequenceNeed(pattern.parts);
    case "choice":
      return choiceNeed(pattern.options.map(needOf));
    default:
      return pattern satisfies never;
  }
}

function textNeed(text: string): Need {
  if (ASCII.test(text)) return { exact: [text.toLowerCase()], clauses: [] };
  // A character beyond ASCII may fold in ways the index does not follow, so it ends what is known.
  const pieces = text.split(/[^\0-\x7f]+/);
  return { exact: undefined, clauses: pieces.flatMap((piece) => clauseOf([piece.toLowerCase()])) };
}

function sequenceNeed(parts: readonly Pattern[]): Need {
  const clauses: Clause[] = [];
  let whole = true;
  let run: readonly string[] = [""];
  for (const part of parts) {
    const need = needOf(part);
    clauses.push(...need.clauses);
    const joined = need.exact === undefined ? undefined : joinedTexts(run, need.exact);
    if (joined === undefined) {
      clauses.push(...clauseOf(run));
      whole = false;
    }
    run = joined ?? need.exact ?? [""];
  }
  if (whole) return { exact: run, clauses };
  return { exact: undefined, clauses: [...clauses, ...clauseOf(run)] };
}

function choiceNeed(needs: readonly Need[]): Need {
  const exact = needs.flatMap((need) => need.exact ?? []);
  if (needs.every((need) => need.exact !== undefined) && exact.length <= MOST_TEXTS) {
    return { exact: [...new Set(exact)], clauses: [] };
  }
  const clauses = needs.map((need) => bestClause([...need.clauses, ...clauseOf(need.exact)]));
  const texts = [...new Set(clauses.flatMap((clause) => clause ?? []))];
  const known = clauses.every((clause) => clause !== undefined) && texts.length <= MOST_IN_CLAUSE;
  return { exact: undefined, clauses: known ? [texts] : [] };
}

/** Each text of the first list followed by each of the second, when that stays few and short. */
function joinedTexts(first: readonly string[], second: readonly string[]): readonly string[] | undefined {
  if (first.length * second.length > MOST_TEXTS) return undefined;
  const [start = "", more] = first;
  if (more === undefined && start === "") return second;
  const joined = [...new Set(first.flatMap((start) => second.map((end) => start + end)))];
  return joined.some((text) => text.length > LONGEST_TEXT) ? undefined : joined;
}

function clauseOf(texts: readonly string[] | undefined): readonly Clause[] {
  if (texts === undefined || texts.length === 0 || texts.includes("")) return [];
  if (texts.length === 1) return [texts];
  // Where "abc/" is looked for, "/abc/" need not be.
  return [texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)))];
}

/** The clause that most texts will fail: the one whose shortest text is longest. */
function bestClause(clauses: readonly Clause[]): Clause | undefined {
  let best: Clause | undefined;
  for (const clause of clauses) {
    if (best === undefined || shortest(clause) > shortest(best)) best = clause;
  }
  return best;
}

function shortest(clause: Clause): number {
  return Math.min(...clause.map((text) => text.length));
}
