import { isDatabaseClient, losesDatabase } from "./database.ts";
import { foundBy } from "./find-paths.ts";
import { ITEM, isKnown, shown } from "./marked.ts";
import { isOutside, isWholeTree, joinPath, tidyPath } from "./paths.ts";
import type { CodeFindings } from "./read-code.ts";
import type { Subject } from "./subject.ts";
import { isThrowAway } from "./throw-away.ts";

const SILENT = new Set([":", "true", "echo", "printf", "cat", "cp"]);
const RECURSIVE_ALWAYS = new Set(["rimraf", "del", "del-cli", "srm", "shred", "wipe", "tar"]);
const COSTLY =
  /(?:^|\/)\.(?:git|env|ssh|gnupg|aws|kube)(?:\/|$)|\.(?:db|sqlite3?|sql|dump|bak|kdbx|pem|key|p12|pfx|gpg|tfstate|rdb|mdb|ldf|vmdk|qcow2|vdi|ibd)$/;

/** What a command deletes or empties beyond throw-away output, as marked paths. */
export function lossesOf(subject: Subject): readonly string[] {
  const { touches, redirections, name } = subject;
  const writes =
    touches.deletes.length + touches.writes.length + touches.moves.length + redirections.truncates.length;
  if (writes === 0 && name !== "find" && !isDatabaseClient(name)) return [];
  const paths = [
    ...deleted(subject),
    ...emptied(subject),
    ...discarded(subject),
    ...(losesDatabase(subject.name, subject.parsed, subject.stdin.text) ? ["database"] : []),
  ];
  return paths.map(tidyPath);
}

/** What inline code deletes. A deletion that names nothing counts. */
export function codeLosses(code: CodeFindings): readonly string[] {
  return code.deletes.filter((path) => path === "" || !isThrowAway(path));
}

function deleted({ name, parsed, touches, words, folder }: Subject): readonly string[] {
  if (name === "find") {
    const wanted = parsed.flags.includes("-delete") && !parsed.flags.includes("-empty");
    return wanted
      ? foundBy(words)
          .map((path) => joinPath(folder, path))
          .filter((path) => !isThrowAway(path))
      : [];
  }
  const whole = parsed.flags.includes("-r") || RECURSIVE_ALWAYS.has(name);
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
function emptied({ name, parsed, touches, redirections, stdin }: Subject): readonly string[] {
  const fromNothing = touches.reads.some((path) => /^\/dev\/(?:null|zero|u?random|full)$/.test(shown(path)));
  const size = parsed.options.find((option) => option.flag === "-s")?.value;
  if (name === "truncate" && size !== undefined && /^(?:0+[A-Za-z]*$|[-<])/.test(size))
    return touches.writes.filter((path) => !isThrowAway(path));
  if (name === "dd" && fromNothing)
    return touches.writes.filter((path) => isOutside(path) && !isThrowAway(path));
  if (name === "tee" && stdin.file === "/dev/null")
    return touches.writes.filter((path) => !isThrowAway(path));
  if ((name === "cp" || name === "ln") && (fromNothing || parsed.args[0] === "/dev/null"))
    return touches.writes.filter((path) => !isThrowAway(path));
  const clears =
    name === "sed" && parsed.flags.includes("-i") && /^(?:1?,\$)?\s*d$/.test(parsed.args[0] ?? "");
  if (clears) return touches.writes.filter((path) => !isThrowAway(path));
  if (!SILENT.has(name)) return [];
  const says =
    parsed.args.some((arg) => arg !== "" && arg !== "/dev/null") ||
    (stdin.text !== undefined && stdin.text !== "");
  if (says || (name !== ":" && name !== "true" && !fromNothing && parsed.args.some((arg) => arg !== "")))
    return [];
  return redirections.truncates.map((path) => path).filter((path) => !isThrowAway(path));
}

/** Trees moved out of the way, or into nothing. */
function discarded({ name, parsed, touches }: Subject): readonly string[] {
  if (name === "mv") {
    if (touches.moves.includes("/dev/null")) return touches.writes.filter((path) => !isThrowAway(path));
    const gone = touches.writes.some((path) => path === "/dev/null");
    return touches.moves.filter((path) => gone || (isWholeTree(path) && shown(path) !== "*"));
  }
  if (name !== "rsync" || !parsed.flags.some((flag) => flag.startsWith("--delete"))) return [];
  const fromNothing = touches.reads.some((path) => /empty|tmp\.X|\/dev\/null/.test(shown(path)));
  return touches.moves.filter((path) => !isThrowAway(path) && (fromNothing || isWholeTree(path)));
}
