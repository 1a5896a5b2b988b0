import type { Behaviour, ParsedOptions } from "../../analysis.ts";
import { isCostly } from "../../judge/costly.ts";
import { namedSecrets } from "../../judge/secret-names.ts";
import { isThrowAway } from "../../judge/throw-away.ts";
import { isOutside, isWholeTree, tidyPath } from "../../words/paths.ts";
import { baseName, isKnown, shown, withoutTrailing } from "../../words/text.ts";
import type { AddAccess, FindReach, Invocation, ProgramFamily } from "../program-row.ts";
import { has, pathsOrHere, reach, readsWhenRecursive, valuesOf } from "../row-parts.ts";

const RECURSIVE_FORCE = "--recursive=-r -R=-r --force=-f --verbose=-v --interactive=-i --no-preserve-root=-N";

const deletes: FindReach = ({ touches }) => reach("writes", [...touches.deletes, ...touches.moves]);

const recursiveWrites: FindReach = (invocation) =>
  has(invocation, "-R", "-r") ? reach("writes", invocation.touches.writes) : [];

/** What was moved can be read under its new name. */
const moves: FindReach = ({ touches }) => [
  ...reach("reads", touches.moves),
  ...reach("writes", touches.moves),
];

function readsNothing({ touches }: Invocation): boolean {
  return touches.reads.some((path) => /^\/dev\/(?:null|zero|u?random|full)$/.test(shown(path)));
}

function copiesNothing(invocation: Invocation): boolean {
  return readsNothing(invocation) || invocation.parsed.args[0] === "/dev/null";
}

/** Trees moved out of the way, or into nothing. */
function movedAway({ touches }: Invocation): readonly string[] {
  if (touches.moves.includes("/dev/null")) return touches.writes.filter((path) => !isThrowAway(path));
  const gone = touches.writes.some((path) => path === "/dev/null");
  return touches.moves.filter((path) => gone || (isWholeTree(path) && shown(path) !== "*"));
}

/** A secret under another name can be read by that: it counts as copied. */
const shownElsewhere: AddAccess = (parsed, add) => {
  const [from, to, ...more] = parsed.args;
  if (from === undefined || to === undefined || more.length > 0 || /(?:^|\/)\.{0,2}$/.test(to)) return;
  if (namedSecrets([from]).length > 0 && !isSameName(baseName(withoutTrailing(from, "/")), baseName(to)))
    add("r", from);
};

/** `.env` and `.env.bak` look the same to a rule. */
function isSameName(from: string, to: string): boolean {
  return to.startsWith(from) || from === to;
}

/** `ln -sf target name` takes the place of what has the name. */
function linkedOver(invocation: Invocation): readonly Behaviour[] {
  if (!has(invocation, "-f")) return [];
  const paths = invocation.touches.writes.filter((path) => isKnown(path) && !isThrowAway(path));
  return paths.map((path) => ({ kind: "overwrites", target: tidyPath(path) }));
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? path : path.slice(0, slash);
}

/** `ls *.tmp | xargs rm`: the names are those the pattern stands for. */
function listing(words: readonly string[]): string | undefined {
  const names = words.filter((word) => !word.startsWith("-") && word !== "/dev/stdin");
  const hidden = words.some((word) => /^-\w*[aA]/.test(word)) ? ".*\n" : "";
  return names.length === 0
    ? `*\n${hidden}`
    : names.map((name) => (/[*?]/.test(name) ? `${name}\n` : `${name}/*\n`)).join("");
}

/** Files and folders: made, copied, moved, deleted, listed. */
/** The name that `mktemp` makes: by a template in the current folder, or in one that an option names. */
function temporaryName(parsed: ParsedOptions): string {
  const folder = valuesOf(parsed, "-p", "--tmpdir").at(-1);
  const [template] = parsed.args;
  if (folder === undefined && template !== undefined && !parsed.flags.includes("-t")) return template;
  return `${folder ?? "/tmp"}/${template ?? "tmp.XXXXXXXXXX"}`;
}

export const FILES: ProgramFamily = {
  "rm grm": {
    same: RECURSIVE_FORCE,
    access: "d*",
    reach: (invocation) => (has(invocation, "-r") ? deletes(invocation) : []),
  },
  "rmdir unlink": { access: "d*" },
  "shred gshred": {
    values: "-n -s --iterations --size",
    same: "--remove=-u --zero=-z",
    access: "d*",
    traits: ["deletesFolders"],
  },
  srm: {
    access: "d*",
    reach: (invocation) => (has(invocation, "-r", "-R") ? deletes(invocation) : []),
    traits: ["deletesFolders"],
  },
  wipe: { access: "d*", traits: ["deletesFolders"] },
  trash: { access: "m*", reach: deletes },
  "rimraf del-cli del": {
    access: "d*",
    reach: deletes,
    traits: ["deletesFolders"],
  },
  "cp gcp": {
    values: "-t --target-directory -S",
    same: `${RECURSIVE_FORCE} --archive=-a`,
    access: "r* w",
    optionAccess: { "-t": "w", "--target-directory": "w" },
    reach: readsWhenRecursive("-r", "-a"),
    renames: "file",
    empties: copiesNothing,
    traits: ["replaces"],
  },
  "mv gmv": {
    values: "-t --target-directory -S",
    same: RECURSIVE_FORCE,
    access: "m* w",
    optionAccess: { "-t": "w", "--target-directory": "w" },
    addAccess: shownElsewhere,
    reach: moves,
    renames: "file",
    loses: movedAway,
    traits: ["replaces"],
  },
  install: {
    values: "-m -o -g -t -S --mode --owner --group --target-directory",
    access: "r* w",
    optionAccess: { "-t": "w", "--target-directory": "w" },
    renames: "file",
    traits: ["replaces"],
  },
  ditto: { access: "r* w", traits: ["replaces"] },
  gio: {
    addAccess: (parsed, add) => {
      if (/^(?:trash|remove|rename|move|copy|save)$/.test(parsed.args[0] ?? ""))
        for (const arg of parsed.args.slice(1)) add("m", arg);
    },
    traits: ["subcommands"],
  },
  cmake: {
    values: "-S -B -G -D --build --target --config",
    addAccess: (parsed, add) => {
      const [command = "", ...paths] = parsed.args;
      if (!parsed.flags.includes("-E")) return;
      if (/^(?:rm|remove|remove_directory)$/.test(command)) for (const path of paths) add("d", path);
      if (command === "rename") add("m", paths[0] ?? "");
      if (/^(?:copy|create_|rename)/.test(command)) add("w", paths.at(-1) ?? "");
    },
    loses: ({ parsed: { args } }) =>
      args[0] === "remove_directory" ? args.slice(1).filter((path) => !isThrowAway(path)) : [],
  },
  rename: { access: "- m*", reach: moves },
  ln: {
    values: "-t -S",
    same: "--symbolic=-s --force=-f",
    access: "u* w",
    addAccess: shownElsewhere,
    renames: "file",
    empties: copiesNothing,
    acts: linkedOver,
  },
  link: { renames: "file" },
  truncate: {
    values: "-s --size -r --reference -o",
    same: "--size=-s",
    access: "w*",
    empties: ({ parsed }) =>
      parsed.options.some(({ flag, value }) => flag === "-s" && /^(?:0+[A-Za-z]*$|[-<])/.test(value)),
  },
  "fallocate mkfifo": { access: "w*" },
  touch: { access: "w*", output: () => "" },
  mkdir: { values: "-m --mode", access: "w*", output: () => "", traits: ["metadataOnly", "makesFolders"] },
  mknod: { access: "w -*" },
  dd: {
    addAccess: (parsed, add) => {
      for (const arg of parsed.args) {
        if (arg.startsWith("if=")) add("r", arg.slice(3));
        if (arg.startsWith("of=")) add("w", arg.slice(3));
      }
    },
    traits: ["replaces"],
    empties: (invocation) =>
      readsNothing(invocation) && invocation.touches.writes.some((path) => isOutside(path) || isCostly(path)),
  },
  chmod: {
    values: "--reference",
    same: "--recursive=-R",
    access: "- w*",
    // A mode such as -x is no option: what comes next is a file.
    addAccess: ({ flags, args: [first] }, add) => {
      if (first !== undefined && flags.some((flag) => /^-[rwxXst]$/.test(flag))) add("w", first);
    },
    reach: recursiveWrites,
    output: () => "",
    traits: ["metadataOnly"],
  },
  chown: {
    values: "--reference --from",
    same: "--recursive=-R",
    access: "- w*",
    reach: recursiveWrites,
    traits: ["metadataOnly"],
  },
  chgrp: {
    values: "--reference",
    same: "--recursive=-R",
    access: "- w*",
    reach: recursiveWrites,
    traits: ["metadataOnly"],
  },
  chattr: { same: "--recursive=-R", access: "- w*", reach: recursiveWrites },
  setfacl: {
    values: "-m -x -M -X",
    same: "--recursive=-R",
    access: "w*",
    reach: recursiveWrites,
    traits: ["metadataOnly"],
  },
  split: { values: "-b -l -n -a -C", access: "r w", starts: "--filter" },
  csplit: { values: "-f -b -n --prefix", same: "--prefix=-f", access: "r -*", optionAccess: { "-f": "w" } },
  patch: {
    values: "-i -d -p -o -r -D -B -Y -z -F -V -g --input --directory --strip --output --reject-file",
    same: "--input=-i --directory=-d --strip=-p --output=-o",
    access: "w*",
    optionAccess: { "-o": "w" },
    reach: (invocation) =>
      has(invocation, "--dry-run") ? [] : reach("writes", pathsOrHere(invocation, []), { certain: false }),
  },
  ls: {
    output: (words) =>
      words.every((word) => /^-[1aAd]*$/.test(word) || !word.startsWith("-")) ? listing(words) : undefined,
    traits: ["namesOnly"],
  },
  "eza exa lsd tree stat file du getfacl lsattr namei inotifywait fswatch restorecon": {
    traits: ["namesOnly"],
  },
  basename: {
    output: (words) =>
      words.length === 1 ? `${baseName(withoutTrailing(words[0] ?? "", "/"))}\n` : undefined,
    traits: ["harmless", "namesOnly"],
  },
  dirname: {
    output: (words) => (words.length === 1 ? `${folderOf(words[0] ?? "")}\n` : undefined),
    traits: ["harmless", "namesOnly"],
  },
  realpath: { output: (words) => (words.length === 1 ? `${words[0]}\n` : undefined), traits: ["namesOnly"] },
  readlink: {
    output: (words) => (words.length === 2 && words[0] === "-f" ? `${words[1]}\n` : undefined),
    traits: ["namesOnly"],
  },
  mktemp: {
    values: "-p --tmpdir --suffix",
    addAccess: (parsed, add) => {
      const path = temporaryName(parsed);
      if (!path.startsWith("/tmp/")) add("w", path);
    },
    output: (_words, _input, parsed) => `${temporaryName(parsed)}\n`,
    traits: ["harmless", "namesOnly"],
  },
  tempfile: { output: () => "/tmp/tmp.XXXXXXXXXX\n" },
  "md5sum sha1sum sha256sum sha512sum shasum cksum b2sum tokei cloc open": { access: "u*" },
  "code bunzip2 zcat bzcat xzcat zless": { access: "r*" },
};
