import type { Pattern } from "./pattern.ts";

const NOTHING: Pattern = { type: "text", text: "" };
const ANY: Pattern = { type: "any" };

/** The engine takes no expression with more groups inside each other. */
const MOST_OPEN = 1_000;

/** Not twice in a row: the engine takes no such expression. */
const REPEAT = String.raw`(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})\??(?![*+?]|\{\d)`;
const OPEN = String.raw`\((?!\?)|\(\?(?:P?<[A-Za-z_]\w*>|[imsU-]*:)`;
/** Flags only at the start of all: elsewhere, what repeats them repeats what comes before. */
const EMPTY = String.raw`[\^$]|\\[bBAz]|(?<![^])\(\?[imsU-]+\)`;
const ESCAPE = String.raw`\\(?:[dDwWsSCntrfva]|[pP](?:\{\^?\w+\}|[A-Za-z])|x(?:\{[0-9A-Fa-f]+\}|[0-9A-Fa-f]{2})|[0-7]{1,3})`;
const CLASS = String.raw`\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]`;
/** A character that is repeated is a text of its own. */
const TEXT = String.raw`[\w \/@:;,=~"'#%&<>!-]+(?![*+?{])|[^\\\(\)\[\|.\^$*+?]`;
const ESCAPED = String.raw`[^\w\u0080-\u{10ffff}]`;

/** What an expression is made of. */
const TOKEN = new RegExp(
  `(?<repeat>${REPEAT})|(?<open>${OPEN})|(?<close>\\))|(?<or>\\|)|(?<empty>${EMPTY})|(?<any>\\.|${ESCAPE}|${CLASS})|(?<text>${TEXT})|\\\\(?<escaped>${ESCAPED})`,
  "gsuy",
);

/** The whole expression, or a group in it: its options, each a list of parts. */
type Group = Pattern[][];

/**
 * Reads a regular expression as far as the index needs it. Letters are read without their case. What it does not
 * understand is `any`, never a guess: the engine, not this reader, says whether a pattern is valid.
 */
export function regexPattern(source: string): Pattern {
  const outer: Group[] = [];
  let group: Group = [[]];
  let end = 0;
  for (const { 0: token, index, groups: found = {} } of source.matchAll(TOKEN)) {
    end = index + token.length;
    const parts = group.at(-1) ?? [];
    if (found.open !== undefined) {
      if (outer.push(group) > MOST_OPEN) return ANY;
      group = [[]];
    } else if (found.close !== undefined) {
      const around = outer.pop();
      if (around === undefined) return ANY;
      around.at(-1)?.push(patternOf(group));
      group = around;
    } else if (found.or !== undefined) group.push([]);
    else if (found.repeat !== undefined) parts.push(...repeated(parts.pop() ?? NOTHING, found.repeat));
    else if (found.empty !== undefined) parts.push(NOTHING);
    else if (found.any !== undefined) parts.push(ANY);
    else parts.push({ type: "text", text: found.text ?? found.escaped ?? "" });
  }
  return end === source.length && outer.length === 0 ? patternOf(group) : ANY;
}

function patternOf(group: Group): Pattern {
  const options = group.map((parts): Pattern => ({ type: "sequence", parts }));
  const [only = NOTHING] = options;
  return options.length > 1 ? { type: "choice", options } : only;
}

function repeated(part: Pattern, times: string): readonly Pattern[] {
  if (/^(?:\+|\{[1-9])/.test(times)) return [part, ANY];
  return [times.startsWith("?") ? { type: "choice", options: [NOTHING, part] } : ANY];
}
