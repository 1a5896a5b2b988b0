import type { OverwriteSource } from "../../core/contracts/overwrites.ts";
import { compileGlob, compilePathGlob } from "../../core/match/glob.ts";
import type { ShellCommand, ShellOverwrite } from "../shell/analysis.ts";
import { hasWildcard } from "./glob-overlap.ts";
import { cwdOf, pathPattern } from "./paths.ts";
import { type RulePorts, rememberedFor, type Subject } from "./subject.ts";
import { inShellFolders } from "./touched.ts";

/** What a line can call the folder it runs in, or the project's. */
const HERE =
  /^\$(?:\(pwd\)|\{?PWD\}?|\{?CLAUDE_PROJECT_DIR\}?|\{?TENTERHOOK_PROJECT_DIR\}?|\(git rev-parse --show-toplevel\))/;

interface Wanted {
  readonly fits: (path: string) => boolean;
  /** The part of the pattern without wildcards: a file, or a folder with what it wants. */
  readonly fixed: string;
}

/** A line that writes to more paths than this counts as writing every source. */
const MOST_CHANGED = 64;

const wantedBy = rememberedFor<readonly Wanted[]>();
const answers = rememberedFor<boolean>();
const known = rememberedFor<readonly string[]>();

/**
 * A test whether commands overwrite a file that one of the patterns fits: by checking out, merging, patching, unpacking,
 * copying or moving, without naming it. What can't be known counts when the file is in the folder concerned.
 */
export function compileOverwrites(
  patterns: readonly string[],
  ports: RulePorts,
): (subject: Subject, commands: readonly ShellCommand[]) => boolean {
  const globs = patterns.map((pattern) => pathPattern(pattern, ports));
  const key = globs.join("\n");
  return (subject, commands) => {
    const changed: string[] = [];
    return commands.some((command) => {
      const overwrites = withChangedSources(command.overwrites ?? [], changed, subject);
      if (changed.length <= MOST_CHANGED) changed.push(...changedBy(command, subject));
      return overwrites.some((overwrite) =>
        answers(subject, `${key}\n${JSON.stringify(overwrite)}`, () => {
          const wanted = wantedBy(subject, key, () => globs.map((glob) => compileWanted(glob, subject)));
          return changesAny(overwrite, wanted, subject);
        }),
      );
    });
  };
}

function compileWanted(glob: string, subject: Subject): Wanted {
  const { ports } = subject;
  const absolute = /^(?:\/|[A-Za-z]:)/.test(glob) ? glob : `${cwdOf(subject)}/${glob}`;
  const wild = absolute.search(/[*?[{\\]/);
  const fixed = wild === -1 ? absolute : absolute.slice(0, absolute.lastIndexOf("/", wild));
  // Folders above may be links.
  const real = ports.normalisePath(fixed, "/").replaceAll("\\", "/");
  return { fits: compilePathGlob(real + absolute.slice(fixed.length)), fixed: real };
}

/** What a command puts somewhere. A folder that is made is empty, and one around the project says nothing. */
function changedBy({ name, writes, overwrites = [] }: ShellCommand, subject: Subject): readonly string[] {
  if (name === "mkdir") return [];
  const paths = [...writes, ...overwrites.map(({ into }) => into)];
  if (paths.length > MOST_CHANGED) return paths.slice(0, MOST_CHANGED + 1);
  const [here = ""] = realPaths(".", subject);
  return paths.flatMap((path) => realPaths(path, subject)).filter((path) => !isWithin(path, here));
}

/**
 * A source that an earlier command of the line changes can't be looked at before: it may hold anything. In a folder
 * that is copied, only what was put there counts.
 */
function withChangedSources(
  overwrites: readonly ShellOverwrite[],
  changed: readonly string[],
  subject: Subject,
): readonly ShellOverwrite[] {
  if (changed.length === 0) return overwrites;
  return overwrites.flatMap((overwrite) => {
    const { into, from } = overwrite;
    if (!("path" in from)) return [overwrite];
    const [source = ""] = realPaths(from.path, subject);
    const places =
      changed.length > MOST_CHANGED
        ? [into]
        : changed.flatMap((path) => {
            if (from.kind === "copy" && path !== source && isWithin(source, path))
              return [`${into}${path.slice(source.length)}`];
            return isWithin(source, path) || isWithin(path, source) ? [into] : [];
          });
    return [
      overwrite,
      ...places.map((place): ShellOverwrite => ({ into: place, from: { kind: "anything" } })),
    ];
  });
}

/** A path as the line means it, from each folder the line may run in. */
function realPaths(path: string, subject: Subject): readonly string[] {
  return known(subject, path, () =>
    inShellFolders(subject, [path.replace(HERE, ".")]).map((one) =>
      subject.ports.normalisePath(one, cwdOf(subject)).replaceAll("\\", "/"),
    ),
  );
}

function changesAny({ into, from }: ShellOverwrite, wanted: readonly Wanted[], subject: Subject): boolean {
  const { ports } = subject;
  return realPaths(into, subject).some((folder) => {
    // Git looks at its whole repository.
    const inside = from.kind === "git" ? wanted : wanted.filter(({ fixed }) => isWithin(folder, fixed));
    if (inside.length === 0) return false;
    if (from.kind === "anything") return true;
    if (ports.overwritten === undefined) return false;
    const source: OverwriteSource =
      "path" in from ? { ...from, path: realPaths(from.path, subject)[0] ?? from.path } : from;
    const paths = [...new Set(inside.map(({ fixed }) => fixed))];
    const changed = ports.overwritten(source, folder, paths);
    return (
      changed === undefined ||
      changed.some((path) => inside.some(({ fits, fixed }) => path === fixed || fits(path)))
    );
  });
}

function isWithin(folder: string, path: string): boolean {
  if (hasWildcard(folder)) return compileGlob(`${folder}/**`, { kind: "path" })(path);
  return path === folder || path.startsWith(folder === "/" ? folder : `${folder}/`);
}
