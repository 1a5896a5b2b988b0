import type { ParsedOptions } from "../programs/program-row.ts";
import type { Program } from "../programs/programs.ts";
import { shown } from "../words/partly-known-text.ts";

/** All of these are tried on text in which white space is one space at most. */
const DROPS =
  /\b(?:drop (?:table|database|schema|view|index|collection|keyspace|user|role|owned|bucket|measurement)\b|truncate (?:table )?["`\w]|dropDatabase\b|flushall\b|flushdb\b)|\.drop ?\(|\.(?:deleteMany|remove) ?\( ?(?:\{ ?\} ?)?\)/i;
const CHANGES_ROWS = /\b(?:delete from|update \S+ set)\b/i;
const CONDITION = /\bwhere\b(?! (?:1 ?= ?1|true)\b)/i;

/** True when a database client is told to drop, empty or delete without a condition. */
export function losesDatabase(
  language: Program["database"],
  parsed: ParsedOptions,
  stdin: string | undefined,
): boolean {
  if (language === undefined) return false;
  const texts = [...parsed.args, ...parsed.options.map((option) => option.value), stdin ?? ""];
  const read = language === "mongo" ? shown : (text: string) => sqlWithoutText(shown(text));
  return texts.some((text) => read(text).split(";").some(losesRows));
}

function losesRows(statement: string): boolean {
  const text = statement.replace(/\s+/g, " ");
  return DROPS.test(text) || (CHANGES_ROWS.test(text) && !CONDITION.test(text));
}

/** Where text, or a comment, that begins with the key ends. */
const ENDS: Readonly<Record<string, string>> = { "'": "'", "--": "\n", "/*": "*/" };

/** Then text may be run, or a quote may stand for itself, or a comment may be none. */
const RUNS_TEXT = /\\'|\/\*!|\b(?:execute|exec|prepare|do)\b/i;

/**
 * SQL with what its string literals and comments say taken out, since `LIKE '%drop table%'` drops nothing. One that
 * does not end is kept: then it was none, or the text is not SQL.
 */
function sqlWithoutText(text: string): string {
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
