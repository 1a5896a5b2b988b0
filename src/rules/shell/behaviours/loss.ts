import { DATA_FOLDERS, SYSTEM_FOLDERS } from "../../../shared/system-folders.ts";
import type { CodeFindings } from "../code/read-code.ts";
import { isMissing, type Scope } from "../interpret/scope.ts";
import type { Invocation, ParsedOptions } from "../programs/program-row.ts";
import type { Program } from "../programs/programs.ts";
import { isKnown, shown } from "../words/partly-known-text.ts";
import { joinPath, tidyPath } from "../words/paths.ts";
import { holdsOwnData, isCostly, isReadBy, isSamePath } from "./costly.ts";
import { isThrowAway } from "./throw-away.ts";

const NONE: readonly string[] = [];

/** What a command deletes or empties beyond throw-away output, as partly known paths. */
export function lossesOf(program: Program, invocation: Invocation): readonly string[] {
  const paths = [
    ...deleted(program, invocation),
    ...emptied(program, invocation),
    ...(program.loses?.(invocation) ?? []),
    ...(losesDatabase(program.database, invocation.parsed, invocation.stdin.text) ? ["database"] : []),
  ];
  return paths.map(tidyPath);
}

/** What inline code deletes. A deletion that names nothing counts. */
export function codeLosses(code: CodeFindings): readonly string[] {
  return code.deletes.filter((path) => path === "" || !isThrowAway(path));
}

function deleted({ is }: Program, { parsed, touches, scope, walk }: Invocation): readonly string[] {
  const whole = parsed.flags.includes("-r") || is.has("deletesFolders");
  const isLoss = (path: string): boolean =>
    (whole ? !isThrowAway(path) : isCostly(path)) && !isCompiled(path, touches.deletes);
  return touches.deletes.flatMap((path) => {
    const moved = [...walk.moved].filter(([to]) => isWithin(to, path)).map(([, from]) => from);
    if (moved.length > 0 && walk.moved.has(tidyPath(shown(path)))) return moved.filter(isLoss);
    if (isLoss(path)) return walk.emptied.has(tidyPath(shown(path))) ? [] : [path];
    const read = withoutMissing(path, scope);
    return read !== path && ROOTS.test(tidyPath(read)) ? [read] : moved.filter(isLoss);
  });
}

/** The root, all that is in it, and the folders of the system. */
const ROOTS = new RegExp(`^/(?:\\*|(?:${[...SYSTEM_FOLDERS, ...DATA_FOLDERS].join("|")})(?:/.*)?)?$`);

/** A path as it is when variables that nothing sets are empty: `$BUILD/` is the root. */
function withoutMissing(path: string, scope: Scope): string {
  if (isKnown(path)) return path;
  return path.replaceAll(/\uE000\$\{?(\w+)\}?\uE001/g, (part, name: string) =>
    isMissing(scope, name) ? "" : part,
  );
}

/** True for a path that is deleted together with a folder, or is that itself. */
function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [tidyPath(path), tidyPath(shown(folder))].map((text) => text.replace(/\/\*$/, ""));
  return inner === outer || inner?.startsWith(`${outer}/`) === true;
}

/** Options with which a file that is there stays: `cp -n`, and `cp --backup` with a copy of it. */
const KEEPS = ["-n", "--no-clobber", "--update=none", "--backup"];

/** Files of data or secrets whose content is replaced as a whole; whether they are there is not known here. */
export function overwritten(
  { is }: Program,
  { touches, redirections, folder, parsed }: Invocation,
  code: CodeFindings | undefined,
): readonly string[] {
  const adds = is.has("storesInput") && parsed.flags.includes("-a");
  const replaces = is.has("replaces") && !adds && !KEEPS.some((flag) => parsed.flags.includes(flag));
  if (!replaces && code === undefined && redirections.truncates.length === 0) return NONE;
  const others = [...(code?.written ?? NONE), ...redirections.truncates].map((path) =>
    joinPath(folder, path),
  );
  return [...(replaces ? touches.writes : NONE), ...others]
    .filter((path) => isKnown(path) && holdsOwnData(path))
    .map(tidyPath);
}

/** What a compiler has put beside its source is deleted together with its maps or declarations: `src/*.js src/*.js.map`. */
function isCompiled(path: string, deleted: readonly string[]): boolean {
  const [isBin] = /(?:^|\/)bin\/?$/.exec(path) ?? [];
  if (isBin !== undefined) return deleted.includes(path.replace(/bin\/?$/, "obj"));
  const [, stem = "", ending] = /^(.*\*)\.(?:([cm]?js|css)|d\.[cm]?ts)$/.exec(path) ?? [];
  if (stem === "") return false;
  const others =
    ending === undefined ? [".js", ".mjs", ".cjs"] : [`.${ending}.map`, ".d.ts", ".d.mts", ".d.cts"];
  return others.some((other) => deleted.includes(`${stem}${other}`));
}

/** Files that are cut to nothing: `> file`, `truncate -s 0`, `cp /dev/null file`, `sort file > file`. */
function emptied(program: Program, invocation: Invocation): readonly string[] {
  const { touches, redirections, folder, stdin } = invocation;
  const written = program.empties?.(invocation) === true ? touches.writes : [];
  const all = redirections.truncates.map((path) => joinPath(folder, path));
  const cut = printsNothing(program, invocation)
    ? all
    : all.filter(
        (path) => touches.reads.some((read) => isSamePath(read, path)) || isReadBy(stdin.from, path, ""),
      );
  return [...written, ...cut].filter((path) => !isThrowAway(path));
}

/** True for a command that is known to print nothing, or next to nothing. */
function printsNothing({ is }: Program, { parsed, stdin }: Invocation): boolean {
  if (!is.has("silent")) return false;
  const silentInput = stdin.text === undefined || stdin.text === "";
  return silentInput && parsed.args.every((arg) => arg === "" || arg === "/dev/null");
}

/** All of these are tried on text in which white space is one space at most. */
const DROPS =
  /\b(?:drop (?:(?:materialized|foreign|external|temporary) )?(?:table|database|schema|view|index|collection|keyspace|user|role|owned|bucket|measurement|column|sequence|function|procedure|trigger|type|extension|tablespace|partition|stream|warehouse|constraint)\b|alter table [^;]{1,300}? drop\b|truncate (?:table )?["`\w]|dropDatabase\b|flushall\b|flushdb\b)|\.drop ?\(|\.(?:deleteMany|remove) ?\( ?(?:\{ ?\} ?)?\)/i;
const CHANGES_ROWS = /\b(?:delete from|update \S+ set)\b/i;
const CONDITION = /\bwhere\b(?! (?:1 ?= ?1|true)\b)/i;

/** True when a statement for a database drops, empties, or deletes without a condition. */
function losesDatabase(
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
