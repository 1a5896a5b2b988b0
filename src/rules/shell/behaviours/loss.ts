import type { CodeFindings } from "../code/read-code.ts";
import { losesDatabase } from "../programs/database.ts";
import { foundBy } from "../programs/find-paths.ts";
import type { Invocation } from "../programs/invocation.ts";
import { ITEM, isKnown, shown } from "../words/partly-known-text.ts";
import { isOutside, isWholeTree, joinPath, tidyPath } from "./paths.ts";
import { isThrowAway } from "./throw-away.ts";

const SILENT = new Set([":", "true", "echo", "printf", "cat"]);
const RECURSIVE_ALWAYS = new Set(["rimraf", "del", "del-cli", "srm", "shred", "wipe", "tar"]);
const COSTLY =
  /(?:^|\/)\.(?:git|env|ssh|gnupg|aws|kube)(?:\/|$)|\.(?:db|sqlite3?|sql|dump|bak|kdbx|pem|key|p12|pfx|gpg|tfstate|rdb|mdb|ldf|vmdk|qcow2|vdi|ibd)$/;

/** What a command deletes or empties beyond throw-away output, as marked paths. */
export function lossesOf(subject: Invocation): readonly string[] {
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

function deleted({ name, parsed, touches, words, folder }: Invocation): readonly string[] {
  if (name === "find") {
    const wanted = parsed.flags.includes("-delete") && !parsed.flags.includes("-empty");
    const found = wanted ? foundBy(words) : [];
    return found.map((path) => joinPath(folder, path)).filter((path) => !isThrowAway(path));
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

type Empties = (subject: Invocation) => boolean;

function readsNothing({ touches }: Invocation): boolean {
  return touches.reads.some((path) => /^\/dev\/(?:null|zero|u?random|full)$/.test(shown(path)));
}

const copiesNothing: Empties = (subject) => readsNothing(subject) || subject.parsed.args[0] === "/dev/null";

/** When the files a program writes are left with nothing of what they held. */
const EMPTIES: Readonly<Record<string, Empties>> = {
  truncate: ({ parsed }) =>
    parsed.options.some(({ flag, value }) => flag === "-s" && /^(?:0+[A-Za-z]*$|[-<])/.test(value)),
  // Without a device or a path elsewhere, this is how images for tests are made.
  dd: (subject) => readsNothing(subject) && subject.touches.writes.some(isOutside),
  tee: ({ stdin }) => stdin.file === "/dev/null",
  cp: copiesNothing,
  ln: copiesNothing,
  sed: ({ parsed }) => parsed.flags.includes("-i") && /^(?:1?,\$)?\s*d$/.test(parsed.args[0] ?? ""),
};

/** Files that are cut to nothing: `> file`, `truncate -s 0`, `cp /dev/null file`, `dd if=/dev/zero of=file`. */
function emptied(subject: Invocation): readonly string[] {
  const { name, touches, redirections, folder } = subject;
  const empties = Object.hasOwn(EMPTIES, name) ? EMPTIES[name] : undefined;
  const written = empties?.(subject) === true ? touches.writes : [];
  const cut = saysNothing(subject) ? redirections.truncates.map((path) => joinPath(folder, path)) : [];
  return [...written, ...cut].filter((path) => !isThrowAway(path));
}

/** True for a command that is known to print nothing, or next to nothing. */
function saysNothing({ name, parsed, stdin }: Invocation): boolean {
  if (!SILENT.has(name)) return false;
  const silentInput = stdin.text === undefined || stdin.text === "";
  return silentInput && parsed.args.every((arg) => arg === "" || arg === "/dev/null");
}

/** Trees moved out of the way, or into nothing. */
function discarded({ name, parsed, touches }: Invocation): readonly string[] {
  if (name === "mv") {
    if (touches.moves.includes("/dev/null")) return touches.writes.filter((path) => !isThrowAway(path));
    const gone = touches.writes.some((path) => path === "/dev/null");
    return touches.moves.filter((path) => gone || (isWholeTree(path) && shown(path) !== "*"));
  }
  if (name !== "rsync" || !parsed.flags.some((flag) => flag.startsWith("--del"))) return [];
  const fromNothing = touches.reads.some((path) => /empty|tmp\.X|\/dev\/null/.test(shown(path)));
  return touches.moves.filter((path) => !isThrowAway(path) && (fromNothing || isWholeTree(path)));
}
