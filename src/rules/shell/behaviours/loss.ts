import type { CodeFindings } from "../code/read-code.ts";
import type { Invocation } from "../programs/program-row.ts";
import type { Program } from "../programs/programs.ts";
import { ITEM, isKnown, shown } from "../words/partly-known-text.ts";
import { losesDatabase } from "./database-loss.ts";
import { isOutside, isWholeTree, joinPath, tidyPath } from "./paths.ts";
import { isThrowAway } from "./throw-away.ts";

const COSTLY =
  /(?:^|\/)\.(?:git|env|ssh|gnupg|aws|kube)(?:\/|$)|\.(?:db|sqlite3?|sql|dump|bak|kdbx|pem|key|p12|pfx|gpg|tfstate|rdb|mdb|ldf|vmdk|qcow2|vdi|ibd)$/;

/** What a command deletes or empties beyond throw-away output, as marked paths. */
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

function deleted({ is }: Program, { parsed, touches }: Invocation): readonly string[] {
  const whole = parsed.flags.includes("-r") || is.has("deletesFolders");
  return touches.deletes.filter((path) => (whole ? !isThrowAway(path) : isCostly(path)));
}

/** Whether one file is more than the everyday removal of something in the project. */
function isCostly(path: string): boolean {
  if (isThrowAway(path)) return false;
  const text = shown(path);
  if (isWholeTree(path) || COSTLY.test(text) || text === ITEM) return true;
  if (/[*?]/.test(text)) return true;
  return isOutside(path) && isKnown(path) && !text.startsWith("../");
}

/** Files that are cut to nothing: `> file`, `truncate -s 0`, `cp /dev/null file`, `dd if=/dev/zero of=file`. */
function emptied(program: Program, invocation: Invocation): readonly string[] {
  const { touches, redirections, folder } = invocation;
  const written = program.empties?.(invocation) === true ? touches.writes : [];
  const cut = printsNothing(program, invocation)
    ? redirections.truncates.map((path) => joinPath(folder, path))
    : [];
  return [...written, ...cut].filter((path) => !isThrowAway(path));
}

/** True for a command that is known to print nothing, or next to nothing. */
function printsNothing({ is }: Program, { parsed, stdin }: Invocation): boolean {
  if (!is.has("silent")) return false;
  const silentInput = stdin.text === undefined || stdin.text === "";
  return silentInput && parsed.args.every((arg) => arg === "" || arg === "/dev/null");
}
