import type { OverwriteSource } from "../../../core/contracts/overwrites.ts";
import type { ShellOverwrite } from "../analysis.ts";
import { remoteHost } from "../words/hosts.ts";
import { isKnown, shown } from "../words/partly-known-text.ts";
import { joinPath } from "../words/paths.ts";
import { baseName, withoutTrailing } from "../words/text.ts";
import type { FindOverwrites, Invocation } from "./program-row.ts";
import { has, pathsOrHere, valuesOf } from "./row-parts.ts";

const ANYTHING: OverwriteSource = { kind: "anything" };

/** Everything at these paths goes, is replaced or can't be reached any more. */
export function anything({ folder }: Invocation, paths: readonly string[]): readonly ShellOverwrite[] {
  return paths.map((path) => ({ into: joinPath(folder, path), from: ANYTHING }));
}

/** What is unpacked, patched or checked out into a folder when nobody can say what it is. */
export function anythingHere(
  invocation: Invocation,
  given: readonly string[] = [],
): readonly ShellOverwrite[] {
  return pathsOrHere(invocation, given).map((into) => ({ into, from: ANYTHING }));
}

/** Folders that are deleted with everything in them. */
export const deletedFolders: FindOverwrites = (invocation) => anything(invocation, invocation.parsed.args);

/** `cp`, `install` and the like: each source gets its own name in the target, or takes its place. */
export const copied: FindOverwrites = (invocation) => {
  const { parsed } = invocation;
  const [given] = valuesOf(parsed, "-t", "--target-directory");
  const target = given ?? parsed.args.at(-1);
  if (target === undefined) return [];
  const sources = given === undefined ? parsed.args.slice(0, -1) : parsed.args;
  return sources.flatMap((source) => copyTo(invocation, source, target));
};

/** `ditto` and the like: the content of each source goes into the target. */
export const copiedContent: FindOverwrites = (invocation) =>
  invocation.parsed.args
    .slice(0, -1)
    .flatMap((source) => copyTo(invocation, `${source}/.`, invocation.parsed.args.at(-1) ?? "."));

function copyTo(invocation: Invocation, source: string, target: string): readonly ShellOverwrite[] {
  const { folder } = invocation;
  const copy = (path: string, into: string): ShellOverwrite => ({
    into: joinPath(folder, into),
    from: isKnown(path) ? { kind: "copy", path: joinPath(folder, path) } : ANYTHING,
  });
  const name = baseName(withoutTrailing(source, "/"));
  const place = `${withoutTrailing(target, "/")}/`;
  if (/^\.{0,2}$/.test(name) || has(invocation, "-T", "--no-target-directory")) return [copy(source, target)];
  if (/[*?[]/.test(name)) return [copy(source.slice(0, -name.length) || ".", target)];
  // A folder takes the place of a target that does not exist yet; one that is written as a folder does.
  const replaces = has(invocation, "-r", "-R", "-a") && !/(?:^|\/)\.{0,2}$/.test(target);
  return [copy(source, place + name), ...(replaces ? [copy(source, target)] : [])];
}

/** What was moved is gone from its place. */
export const moved: FindOverwrites = (invocation) => [
  ...copied(invocation),
  ...anything(
    invocation,
    has(invocation, "-t", "--target-directory")
      ? invocation.parsed.args
      : invocation.parsed.args.slice(0, -1),
  ),
];

/** A link takes the place of what had its name. In a folder such as `.` it gets a name of its own. */
export const linked: FindOverwrites = (invocation) => {
  const target = invocation.parsed.args.length > 1 ? invocation.parsed.args.at(-1) : undefined;
  return target === undefined || /(?:^|\/)\.{0,2}$/.test(target) ? [] : anything(invocation, [target]);
};

/** `rsync`: the content of `folder/`, or the folder itself; with `--delete` nothing else is left. */
export const synchronised: FindOverwrites = (invocation) => {
  const { parsed } = invocation;
  const target = parsed.args.at(-1);
  const tries = has(invocation, "-n", "--dry-run", "--list-only");
  if (target === undefined || parsed.args.length < 2 || tries || remoteHost(target) !== undefined) return [];
  const sources = parsed.args.slice(0, -1);
  const isOpen = sources.some((source) => remoteHost(source) !== undefined);
  if (isOpen || parsed.flags.some((flag) => flag.startsWith("--del"))) return anything(invocation, [target]);
  return sources.flatMap((source) =>
    copyTo(invocation, source.endsWith("/") ? `${source}.` : source, target),
  );
};

/** Rights that are taken from the owner. A folder that can't be searched hides what is in it. */
export const lockedAway: FindOverwrites = (invocation) => {
  const [mode = "", ...paths] = chmodWords(invocation);
  const owner = Number(/^[0-7]{3,4}$/.test(mode) ? mode.at(-3) : Number.NaN);
  const takes = mode.split(",").some((part) => /^[au]*(?:[go]*[au][go]*)?-[^+=]*[rx]/.test(part));
  const locks = Number.isNaN(owner) ? takes || /^[0-7]{1,2}$/.test(mode) : (owner & 5) !== 5;
  return locks ? anything(invocation, paths) : [];
};

/** `chmod -x file`: a mode may look like an option. */
function chmodWords({ words, parsed }: Invocation): readonly string[] {
  const mode = words.find((word) => /^-[rwxXst]+$/.test(word));
  return mode === undefined ? parsed.args : [mode, ...parsed.args];
}

/** An archive that is unpacked. Members that are named are all that comes out of it. */
export function unpacked(
  invocation: Invocation,
  archive: string | undefined,
  into: string | undefined,
  members: readonly string[],
): readonly ShellOverwrite[] {
  const folder = joinPath(invocation.folder, into ?? ".");
  if (members.length > 0 && !members.some((member) => /[*?[]/.test(member)))
    return members.map((member) => ({ into: `${folder}/${member}`, from: ANYTHING }));
  const file = archive === undefined || archive === "-" ? invocation.stdin.file : archive;
  if (file === undefined || !isKnown(file)) return [{ into: folder, from: ANYTHING }];
  return [{ into: folder, from: { kind: "archive", path: joinPath(invocation.folder, file) } }];
}

/** Patches from files, or from standard input where none is named. */
export function patchedFrom(
  invocation: Invocation,
  files: readonly string[],
  into: string | undefined,
): readonly ShellOverwrite[] {
  const folder = joinPath(invocation.folder, into ?? ".");
  const sources = files.length > 0 ? files.map((path) => patchFile(invocation, path)) : patchesIn(invocation);
  return sources.map((from) => ({ into: folder, from }));
}

function patchesIn(invocation: Invocation): readonly OverwriteSource[] {
  const { text, file, from } = invocation.stdin;
  if (text !== undefined && isKnown(text)) return [{ kind: "patch", text: shown(text) }];
  if (file !== undefined) return [patchFile(invocation, file)];
  const [only, ...others] = from;
  if (only?.name !== "cat" || others.length > 0 || only.reads.length === 0) return [ANYTHING];
  return only.reads.map((path) => ({ kind: "patch", path }));
}

function patchFile({ folder }: Invocation, path: string): OverwriteSource {
  return isKnown(path) ? { kind: "patch", path: joinPath(folder, path) } : ANYTHING;
}

/** `patch`: the patch is an option, the second argument, or standard input. */
export const patched: FindOverwrites = (invocation) => {
  const { parsed } = invocation;
  if (has(invocation, "--dry-run", "-C", "--check", "--help", "--version")) return [];
  const given = [...valuesOf(parsed, "-i"), ...parsed.args.slice(1, 2)];
  return patchedFrom(invocation, given, valuesOf(parsed, "-d")[0]);
};
