import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { fileEndings, shellWords, unknownWords } from "../../node/process/shell-words.ts";
import type { Command } from "./command-call.ts";

/** A command, and what decides where it starts. */
export interface Starting {
  readonly command: Command;
  readonly payload: "native" | "tenterhook" | undefined;
  readonly owner: "user" | "project" | undefined;
  readonly root: string;
  /** The project that the agent works on. */
  readonly project: () => string;
  /** The variables that the definition sets. */
  readonly set: Readonly<Record<string, string>>;
  readonly normalisePath: (path: string, cwd: string) => string;
}

/** The folder of every start; `undefined` when that depends on the folder of the session. */
export function fixedFolder({ payload, owner, root }: Starting): string | undefined {
  return payload === "native" || owner === "user" ? undefined : root;
}

/**
 * Where a command starts when the session works in `given`. An agent starts its hooks there, and so do we, unless a
 * relative name would then lead to another file than the one that was meant: for a hook of the user the file next to his
 * configuration, for a hook of a project the file that was trusted. If the folder was deleted, Claude Code starts its
 * hooks in the project.
 */
export function startFolder(starting: Starting, given: string): string {
  const { payload, owner, root, project, normalisePath } = starting;
  const fixed = fixedFolder(starting);
  if (fixed !== undefined) return fixed;
  const cwd = payload === "native" && kindOf(given) !== "folder" ? project() : given;
  if ((payload === "native" && owner !== "project") || normalisePath(cwd, "/") === root) return cwd;
  const { lines, names, unknown } = relativeNames(starting);
  const leadsToFile = (folder: string): boolean => namesFile(names, fileEndings(lines), folder);
  if (leadsToFile(root)) return root;
  return owner === "project" && (unknown || leadsToFile(cwd)) ? root : cwd;
}

/** The default of a variable that is certainly set, because nothing runs before the line's one command. */
const ONE_COMMAND = /^[^;|&()<>`'\n=]*$/;
const NEEDLESS_DEFAULT = /\$\{CLAUDE_PROJECT_DIR:?-[^}]*\}/g;

/** The words of a command that are looked up in its working folder if they name files. */
function relativeNames({ command, root, set }: Starting) {
  const words = command.kind === "shell" ? [command.line] : [command.file, ...command.args];
  const lines = [...words, ...Object.values(set)].map((line) =>
    ONE_COMMAND.test(line) ? line.replaceAll(NEEDLESS_DEFAULT, () => "$CLAUDE_PROJECT_DIR") : line,
  );
  const known = { ...set, PWD: "." };
  const isRelative = (word: string): boolean => !isAbsolute(word);
  return {
    lines,
    names: [...new Set(lines.flatMap((line) => [line, ...shellWords(line, root, known)]))].filter(isRelative),
    unknown: lines.some((line) => unknownWords(line, root, known).some(isRelative)),
  };
}

const MOST_FOLDERS = 10;

/** True when one of the names is a file, seen from a folder or from one of the folders there that are named too. */
function namesFile(names: readonly string[], endings: readonly string[], folder: string): boolean {
  const folders = names.map((name) => resolve(folder, name)).filter((path) => kindOf(path) === "folder");
  const starts = [...new Set([folder, ...folders])];
  if (starts.length > MOST_FOLDERS) return true;
  return starts.some((start) =>
    names.some((name) => endings.some((ending) => kindOf(resolve(start, `${name}${ending}`)) === "file")),
  );
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    return status === undefined ? undefined : status.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}
