import type { ParsedOptions } from "../../analysis.ts";
import type { AddAccess, FindReach, ProgramFamily, ProgramRow } from "../program-row.ts";
import { excluded, has, pathsOrHere, reach, readsWhenRecursive, valuesOf } from "../row-parts.ts";

const UNZIP_SHOWS = ["-l", "-p", "-t", "-Z", "-v"];

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
  has(invocation, "-o", "-p", "-w")
    ? reach("reads", pathsOrHere(invocation, invocation.parsed.args), { certain: false })
    : [];

/** Packers that write to standard output leave their file as it is. */
const toOutput: AddAccess = (parsed, _add, touches) => {
  if (parsed.flags.some((flag) => /^(?:-c|--stdout|--to-stdout)$/.test(flag)))
    touches.reads.push(...touches.writes.splice(0));
};

const TAR_VALUES =
  "-f -C -T -X -I --file --directory --exclude --files-from --strip-components --use-compress-program";
const TAR_SAME =
  "--create=-c --extract=-x --get=-x --list=-t --file=-f --directory=-C --gzip=-z --append=-r --update=-u --files-from=-T";

/** What all tars have in common. `-I` gives a program to GNU's and a list of files to BSD's. */
const TAR: ProgramRow = {
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
  traits: ["feedsCommands", "unpacks", "deletesFolders"],
};

/** Archives and compressed files. */
export const ARCHIVES: ProgramFamily = {
  "tar gtar": {
    ...TAR,
    values: `${TAR_VALUES} --transform --xform --to-command --checkpoint-action --checkpoint -F --info-script --new-volume-script --rsh-command`,
    same: TAR_SAME,
    starts: "--to-command -I --use-compress-program --rsh-command --info-script -F --new-volume-script",
    commandOptions: [["--checkpoint-action", /^exec=(.+)$/s]],
  },
  bsdtar: { ...TAR, values: `${TAR_VALUES} -s`, same: `${TAR_SAME} -I=-T`, starts: "--use-compress-program" },
  zip: {
    values: "-P -b -n -x -i -t --unzip-command",
    // The command of `-TT` is a word with spaces.
    otherCommands: ({ flags, args }) => (flags.includes("-T") ? args.filter((arg) => /\s/.test(arg)) : []),
    starts: "--unzip-command",
    same: "--recurse-paths=-r --password=-P --encrypt=-e",
    access: "w r*",
    addAccess: (parsed, add) => {
      if (parsed.flags.includes("-m")) for (const arg of parsed.args.slice(1)) add("d", arg);
    },
    reach: (invocation) => [
      ...readsWhenRecursive("-r", "-R")(invocation),
      ...reach("writes", invocation.touches.deletes),
    ],
  },
  unzip: {
    values: "-d -P -x",
    access: "u",
    optionAccess: { "-d": "w" },
    reach: (invocation) =>
      has(invocation, ...UNZIP_SHOWS)
        ? []
        : reach("writes", pathsOrHere(invocation, valuesOf(invocation.parsed, "-d")), { certain: false }),
    traits: ["unpacks"],
  },
  "7z 7za 7zz": {
    access: "- w r*",
    addAccess: ({ flags, args }, add) => {
      if (/^[ex]$/.test(args[0] ?? ""))
        for (const flag of flags) if (flag.startsWith("-o")) add("w", flag.slice(2));
    },
    reach: ({ parsed, touches }) => (parsed.args[0] === "a" ? reach("reads", touches.reads) : []),
    traits: ["oneDash", "subcommands", "unpacks"],
  },
  cpio: {
    values: "-D -F -O -I -E -H -R --directory --file --pattern-file --format --owner",
    same: "--directory=-D --file=-F --create=-o --extract=-i --pass-through=-p",
    optionAccess: { "-D": "w", "-I": "r", "-O": "w", "-E": "u" },
    access: "-*",
    addAccess: (parsed, add) => {
      for (const archive of valuesOf(parsed, "-F")) add(parsed.flags.includes("-o") ? "w" : "r", archive);
      if (parsed.flags.includes("-p")) for (const folder of parsed.args.slice(-1)) add("w", folder);
    },
    reach: packed,
    traits: ["unpacks"],
  },
  pax: { reach: packed },
  "unrar rar unar ar": { traits: ["unpacks"] },
  "gzip bzip2 xz zstd": { access: "w*", addAccess: toOutput, traits: ["filters"] },
  "gunzip unxz": {
    access: "r*",
    addAccess: (parsed, add) => {
      const writes = !parsed.flags.some((flag) => /^(?:-c|-l|-t|--stdout|--list|--test)$/.test(flag));
      for (const arg of writes ? parsed.args : []) add("w", arg.replace(/\.\w+$/, ""));
    },
    traits: ["unpacks"],
  },
};
