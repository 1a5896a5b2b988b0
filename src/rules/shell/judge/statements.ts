/** All of these are tried on text in which white space is one space at most. */
const DROPS =
  /\b(?:drop (?:(?:materialized|foreign|external|temporary) )?(?:table|database|schema|view|index|collection|keyspace|user|role|owned|bucket|measurement|column|sequence|function|procedure|trigger|type|extension|tablespace|partition|stream|warehouse|constraint)\b|alter table [^;]{1,300}? drop\b|truncate (?:table )?["`\w]|dropDatabase\b|flushall\b|flushdb\b)|\.drop ?\(|\.(?:deleteMany|remove) ?\( ?(?:\{ ?\} ?)?\)/i;
const CHANGES_ROWS = /\b(?:delete from|update \S+ set)\b/i;
const CONDITION = /\bwhere\b(?! (?:1 ?= ?1|true)\b)/i;

/** True when text for a database has a statement that drops, empties, or deletes without a condition. */
export function losesData(text: string, language: "sql" | "mongo"): boolean {
  const read = language === "mongo" ? text : sqlWithoutText(text);
  return read.split(";").some(losesRows);
}

function losesRows(statement: string): boolean {
  const text = statement.replace(/\s+/g, " ");
  return DROPS.test(text) || (CHANGES_ROWS.test(text) && !CONDITION.test(text));
}

/** Where text, or a comment, that begins with the key ends. */
const ENDS: Readonly<Record<string, string>> = { "'": "'", "--": "\n", "/*": "*/" };

/** Signs that text may run, that a quote is escaped, or that a comment holds code. */
const RUNS_TEXT = /\\'|\/\*!|\b(?:execute|exec|prepare|do)\b/i;

/**
 * SQL with what its string literals and comments say taken out, since `LIKE '%drop table%'` drops nothing. One that
 * does not end stays: then it was something else, or the text is not SQL.
 */
function sqlWithoutText(text: string): string {
  if (!/'|--|\/\*/.test(text) || RUNS_TEXT.test(text)) return text;
  let rest = "";
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
    rest += `${text.slice(from, at)}${key === "'" ? "''" : " "}`;
    at = close + end.length - 1;
    from = at + 1;
  }
  return rest + text.slice(from);
}

/** A comment of dashes follows white space; `a--b` is arithmetic, or part of an option. */
function mayBegin(key: string, before: string | undefined): boolean {
  return key !== "--" || before === undefined || /\s|;/.test(before);
}
