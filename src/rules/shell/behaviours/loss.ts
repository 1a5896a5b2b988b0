import { DATA_FOLDERS, SYSTEM_FOLDERS } from "../../../shared/system-folders.ts";
import type { ParsedOptions } from "../analysis.ts";
import type { CodeFindings } from "../code/read-code.ts";
import { holdsOwnData, isCostly, isReadBy, isSamePath } from "../judge/costly.ts";
import { losesData } from "../judge/statements.ts";
import { isThrowAway } from "../judge/throw-away.ts";
import type { Invocation } from "../programs/program-row.ts";
import type { Program } from "../programs/programs.ts";
import { isMissing, type Scope } from "../state/scope.ts";
import { joinPath, tidyPath } from "../words/paths.ts";
import { isKnown, shown } from "../words/text.ts";

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
  if (isBin !== undefined) return deleted.some((other) => isSamePath(other, path.replace(/bin\/?$/, "obj")));
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

/** True when a statement for a database drops, empties, or deletes without a condition. */
function losesDatabase(
  language: Program["database"],
  parsed: ParsedOptions,
  stdin: string | undefined,
): boolean {
  if (language === undefined) return false;
  const texts = [...parsed.args, ...parsed.options.map((option) => option.value), stdin ?? ""];
  return texts.some((text) => losesData(shown(text), language));
}
