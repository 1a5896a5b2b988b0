import { isCostly } from "../../behaviours/costly.ts";
import { namedSecrets } from "../../behaviours/secret-names.ts";
import { isThrowAway } from "../../behaviours/throw-away.ts";
import { shown } from "../../words/partly-known-text.ts";
import { isOutside, isWholeTree } from "../../words/paths.ts";
import { baseName, withoutTrailing } from "../../words/text.ts";
import type { AddAccess, FindReach, Invocation, ParsedOptions, ProgramRows } from "../program-row.ts";
import { excluded, has, pathsOrHere, reach, readsWhenRecursive, valuesOf } from "../row-parts.ts";

const RECURSIVE_FORCE = "--recursive=-r -R=-r --force=-f --verbose=-v --interactive=-i --no-preserve-root=-N";

const deletes: FindReach = ({ touches }) => reach("writes", [...touches.deletes, ...touches.moves]);

const recursiveWrites: FindReach = (invocation) =>
  has(invocation, "-R", "-r") ? reach("writes", invocation.touches.writes) : [];

/** What was moved can be read under its new name. */
const moves: FindReach = ({ touches }) => [
  ...reach("reads", touches.moves),
  ...reach("writes", touches.moves),
];

/** `tar czf archive folder`: the letters need no dash, and the archive's name follows them. */
function tarWords(parsed: ParsedOptions) {
  const [first = ""] = parsed.args;
  const bare = /^[A-Za-z]+$/.test(first) && !parsed.flags.some((flag) => /^-[cxtruAd]$/.test(flag));
  if (!bare) {
    const letters = parsed.flags.map((flag) => (flag.length === 2 ? flag[1] : "")).join("");
    return { letters, args: parsed.args, archive: valuesOf(parsed, "-f")[0] };
  }
  const named = first.includes("f");
  return {
    letters: first,
    args: parsed.args.slice(named ? 2 : 1),
    archive: named ? parsed.args[1] : valuesOf(parsed, "-f")[0],
  };
}

const tar: FindReach = (invocation) => {
  const { parsed, touches, words } = invocation;
  const { letters, args } = tarWords(parsed);
  const folder = valuesOf(parsed, "-C");
  if (/[cru]/.test(letters)) {
    const listed = has(invocation, "-T")
      ? reach("reads", pathsOrHere(invocation, folder), { certain: false })
      : [];
    // What is left out after the first folder is not left out of it.
    const late = words.slice(words.indexOf(args[0] ?? "")).some((word) => word.startsWith("--exclude"));
    const packed = reach("reads", touches.reads, { except: late ? [] : excluded(invocation) });
    return [...packed, ...listed, ...reach("writes", touches.deletes)];
  }
  return /x/.test(letters) ? reach("writes", pathsOrHere(invocation, folder), { certain: false }) : [];
};

/** Packs the files whose names it reads, or those of the folders it is given. */
const packed: FindReach = (invocation) =>
  has(invocation, "-o", "-p", "-w", "--create", "--pass-through")
    ? reach("reads", pathsOrHere(invocation, invocation.parsed.args), { certain: false })
    : [];

/** Packers that write to standard output leave their file as it is. */
const toOutput: AddAccess = (parsed, _add, touches) => {
  if (parsed.flags.some((flag) => /^(?:-c|--stdout|--to-stdout)$/.test(flag)))
    touches.reads.push(...touches.writes.splice(0));
};

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

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? path : path.slice(0, slash);
}

/** `ls *.tmp | xargs rm`: the names are those the pattern stands for. */
function listing(words: readonly string[]): string | undefined {
  const names = words.filter((word) => !word.startsWith("-") && word !== "/dev/stdin");
  return names.length === 0
    ? "*\n"
    : names.map((name) => (/[*?]/.test(name) ? `${name}\n` : `${name}/*\n`)).join("");
}

/** Files and folders: made, copied, moved, deleted, listed, packed. */
export const FILES: ProgramRows = {
  rm: {
    same: RECURSIVE_FORCE,
    access: "d*",
    reach: (invocation) => (has(invocation, "-r") ? deletes(invocation) : []),
  },
  grm: { like: "rm" },
  "rmdir unlink": { access: "d*" },
  shred: {
    values: "-n -s --iterations --size",
    same: "--remove=-u --zero=-z",
    access: "d*",
    traits: ["deletesFolders"],
  },
  gshred: { like: "shred" },
  srm: {
    access: "d*",
    reach: (invocation) => (has(invocation, "-r", "-R") ? deletes(invocation) : []),
    traits: ["deletesFolders"],
  },
  wipe: { access: "d*", traits: ["deletesFolders"] },
  trash: { access: "m*", reach: deletes },
  "rimraf del-cli del": { access: "d*", reach: deletes, traits: ["deletesFolders"] },
  cp: {
    values: "-t --target-directory -S",
    same: `${RECURSIVE_FORCE} --archive=-a`,
    access: "r* w",
    optionAccess: { "-t": "w", "--target-directory": "w" },
    reach: readsWhenRecursive("-r", "-a"),
    renames: "file",
    empties: copiesNothing,
  },
  gcp: { like: "cp" },
  mv: {
    values: "-t --target-directory -S",
    same: RECURSIVE_FORCE,
    access: "m* w",
    optionAccess: { "-t": "w", "--target-directory": "w" },
    addAccess: shownElsewhere,
    reach: moves,
    renames: "file",
    loses: movedAway,
  },
  gmv: { like: "mv" },
  install: { access: "r* w", renames: "file" },
  rename: { access: "- m*", reach: moves },
  ln: {
    values: "-t -S",
    same: "--symbolic=-s --force=-f",
    access: "u* w",
    addAccess: shownElsewhere,
    renames: "file",
    empties: copiesNothing,
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
    empties: (invocation) =>
      readsNothing(invocation) && invocation.touches.writes.some((path) => isOutside(path) || isCostly(path)),
  },
  chmod: {
    values: "--reference",
    same: "--recursive=-R",
    access: "- w*",
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
    access: "w*",
    reach: (invocation) =>
      has(invocation, "--dry-run") ? [] : reach("writes", pathsOrHere(invocation, []), { certain: false }),
  },
  ls: {
    output: (words) =>
      words.every((word) => /^-1?$/.test(word) || !word.startsWith("-")) ? listing(words) : undefined,
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
  mktemp: { output: () => "/tmp/tmp.XXXXXXXXXX\n", traits: ["harmless", "namesOnly"] },
  tempfile: { output: () => "/tmp/tmp.XXXXXXXXXX\n" },
  "md5sum sha1sum sha256sum sha512sum shasum cksum b2sum tokei cloc open": { access: "u*" },
  "code bunzip2 zcat bzcat xzcat zless": { access: "r*" },
  tar: {
    values:
      "-f -C -T -X --file --directory --exclude --files-from --transform --to-command --checkpoint-action -I --use-compress-program --checkpoint",
    same: "--create=-c --extract=-x --get=-x --list=-t --file=-f --directory=-C --gzip=-z --append=-r --update=-u --files-from=-T",
    addAccess: (parsed, add) => {
      const { letters, args, archive } = tarWords(parsed);
      const packs = /[cru]/.test(letters);
      const [from] = valuesOf(parsed, "-C");
      if (archive !== undefined && archive !== "-") add(packs ? "w" : "u", archive);
      if (parsed.flags.includes("--remove-files")) for (const arg of args) add("d", arg);
      if (packs)
        for (const arg of args) add("r", from === undefined || arg.startsWith("/") ? arg : `${from}/${arg}`);
      else if (/x/.test(letters) && from !== undefined) add("w", from);
    },
    reach: tar,
    starts: "--to-command -I --use-compress-program --rsh-command --info-script -F --new-volume-script",
    commandOptions: [["--checkpoint-action", /^exec=(.+)$/s]],
    traits: ["feedsCommands", "unpacks", "deletesFolders"],
  },
  gtar: { like: "tar" },
  bsdtar: { like: "tar", traits: ["unpacks"] },
  zip: {
    values: "-P -b -n -x -i -t -T",
    same: "--recurse-paths=-r --password=-P --encrypt=-e",
    access: "w r*",
    addAccess: (parsed, add) => {
      if (parsed.flags.includes("-m")) for (const arg of parsed.args.slice(1)) add("d", arg);
    },
    reach: (invocation) => [...readsWhenRecursive("-r", "-R")(invocation), ...deletes(invocation)],
  },
  unzip: {
    values: "-d -P -x",
    access: "u",
    optionAccess: { "-d": "w" },
    reach: (invocation) =>
      has(invocation, "-l", "-p", "-t", "-Z", "-v")
        ? []
        : reach("writes", pathsOrHere(invocation, valuesOf(invocation.parsed, "-d")), { certain: false }),
    traits: ["unpacks"],
  },
  "7z": {
    access: "- w r*",
    reach: ({ parsed, touches }) => (parsed.args[0] === "a" ? reach("reads", touches.reads) : []),
    traits: ["oneDash", "subcommands", "unpacks"],
  },
  cpio: { reach: packed, traits: ["unpacks"] },
  pax: { reach: packed },
  "gzip bzip2 xz zstd": { access: "w*", addAccess: toOutput, traits: ["filters"] },
  "gunzip unxz": { access: "r*", traits: ["unpacks"] },
};
