import type { ShellCommand } from "../analysis.ts";
import { isOutside, isWholeTree, joinPath, tidyPath } from "../words/paths.ts";
import { ITEM, isKnown, shown, unknownParts } from "../words/text.ts";
import { isThrowAway } from "./throw-away.ts";

const COSTLY =
  /(?:^|\/)\.(?:git|env|ssh|gnupg|aws|kube)(?:\/|$)|\.(?:db|sqlite3?|sql|dump|bak|kdbx|pem|key|p12|pfx|gpg|tfstate|rdb|mdb|ldf|vmdk|qcow2|vdi|ibd)$/;

/** Several files whose names say that nobody needs them any more: `Old*.tsx`. */
const LEFTOVER_SOURCES =
  /(?:^|\/)(?:debug|old|scratch|temp|unused|deprecated)[\w-]*\*\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|java|kt|css|scss|html|sh)$/i;
/** Files that are kept out of repositories, so that only this copy is there; dumps are made again. */
const OWN_DATA =
  /(?:^|\/)\.env(?:\.(?!example|sample|template|dist|defaults?|schema|test|ci|bak|backup|old|orig|save)[\w.-]+)?$|\.(?:db|sqlite3?|mdb|kdbx|pem|key|p12|pfx|jks|keystore|tfstate|rdb|qcow2|vmdk|vdi)$|(?:^|\/)(?:\.aws\/credentials|\.kube\/config|\.ssh\/id_\w+|\.netrc|\.pgpass|\.my\.cnf|\.vault-token|\.docker\/config\.json|\.config\/gh\/hosts\.yml|credentials\.json)$|^~\/\.npmrc$/;
const FOR_TESTS =
  /(?:^|[/._-])(?:tests?|fixtures?|examples?|samples?|mocks?|tmp|temp)(?:[/._-]|$)|(?:^|[/._-])(?:dev|local|localhost|self-?signed)[\w.-]*\.(?:pem|key|p12|pfx)$/i;

/** True for a file of data or secrets that nothing brings back once it has other content. */
export function holdsOwnData(path: string): boolean {
  const text = shown(path);
  return OWN_DATA.test(text) && !FOR_TESTS.test(text) && !isThrowAway(path);
}

/** Whether one file is more than the everyday removal of something in the project. */
export function isCostly(path: string): boolean {
  if (isThrowAway(path)) return false;
  const text = shown(path);
  if (isWholeTree(path) || COSTLY.test(text) || text === ITEM) return true;
  // As many files as some command names.
  if (!isKnown(path) && /^(?:\$\(|`)/.test(text) && unknownParts(path)[0] === text) return true;
  if (/[*?]/.test(text)) return !LEFTOVER_SOURCES.test(text);
  return isOutside(path) && isKnown(path) && !text.startsWith("../");
}

/** True for two spellings of one path. */
export function isSamePath(first: string, second: string): boolean {
  return tidyPath(shown(first)) === tidyPath(shown(second));
}

/** True when one of the commands reads the file, which a redirection has emptied before it starts. */
export function isReadBy(commands: readonly ShellCommand[], path: string, folder: string): boolean {
  const target = joinPath(folder, path);
  return commands.some(({ behaviours }) =>
    behaviours.some(({ kind, target: read }) => kind === "discloses" && isSamePath(read, target)),
  );
}
