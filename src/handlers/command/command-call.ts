import { basename, isAbsolute, resolve } from "node:path";
import { TenterhookError } from "../../core/base/errors.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { isFile, programProblem } from "../../node/process/find-program.ts";
import { firstScript } from "../../node/process/first-script.ts";
import { ProgramError } from "../../node/process/program-error.ts";
import { shellLine } from "../../node/process/start-program.ts";
import type { HandlerSettings } from "../handler.ts";
import { type Argv, scriptCall } from "./script.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export type Command =
  | { readonly kind: "shell"; readonly line: string }
  | { readonly kind: "program"; readonly file: string; readonly args: readonly string[] }
  | { readonly kind: "script"; readonly file: string; readonly args: readonly string[] };

/**
 * What a definition starts: a string is a line for the shell, a list or anything with `args` is a program without one,
 * `script` is a file.
 *
 * @throws TenterhookError `invalid_option` when the name of the program is blank.
 */
export function readCommand({ command = "", script, args }: HandlerSettings<"command">): Command {
  if (script !== undefined) return { kind: "script", file: script, args: args ?? [] };
  if (typeof command === "string" && args === undefined) return { kind: "shell", line: command };
  const [file = "", ...first] = [command].flat();
  if (file.trim() === "")
    throw new TenterhookError("invalid_option", "command must begin with the name of a program.", {
      hint: 'Give command: "line for the shell", command: ["program", "argument"], or script: path/to/file.sh.',
    });
  return { kind: "program", file, args: [...first, ...(args ?? [])] };
}

/**
 * The program to start for a command.
 *
 * @throws HookFailureError `missing` for a script that is not there, or that nothing here can run.
 */
export function commandCall(command: Command, root: string, variables: Variables): Argv {
  switch (command.kind) {
    case "shell":
      return shellLine(command.line);
    case "program":
      return command;
    case "script":
      return scriptCall(command.file, command.args, root, variables);
    default:
      return command satisfies never;
  }
}

/** Words that a shell (dash, bash, zsh) knows without a file. */
const SHELL_WORDS = new Set(
  (
    ". : alias autoload bg bind break builtin caller case cd chdir command compgen complete continue coproc declare " +
    "dirs disown do done echo enable esac eval exec exit export false fc fg fi for function getopts hash help " +
    "history if jobs kill let local logout mapfile newgrp popd printf pushd pwd read readarray readonly return " +
    "select set setopt shift shopt source suspend test then time times trap true type typeset ulimit umask unalias " +
    "unset until wait whence while"
  ).split(" "),
);

/** Programs that run a file. Some exit with the code of a refusal when the file is missing. */
const INTERPRETERS = new Set([
  "python",
  "python3",
  "node",
  "sh",
  "bash",
  "zsh",
  "ruby",
  "perl",
  "tsx",
  "bun",
]);

/**
 * A line that plainly begins with a program, and perhaps a file for it: assignments may come before it, nothing may be
 * made up by the shell. A name followed by parentheses is a function.
 */
const PLAIN_START =
  /^\s*(?<assignments>(?:[A-Za-z_]\w*=[\w./:-]*\s+)*)(?<program>[\w./+-]+)(?:\s+(?<file>[\w./+][\w./+-]*\.\w+))?(?=[\s;|&<>]|$)(?!\s*\()/;

export function plainStart(line: string): Readonly<Partial<Record<string, string>>> {
  return PLAIN_START.exec(line)?.groups ?? {};
}

/** The exit codes of a shell for a program that is not executable or does not exist. */
export const NOT_RUN: readonly number[] = [126, 127];

/**
 * Why a command will certainly fail, as far as this shows without running it.
 *
 * @param folder where it will start; of a command that starts where the session is, relative programs can't be judged.
 * @param project where such a command starts when the session works in the project itself.
 * @param set the variables that its definition sets.
 */
export function commandProblem(
  command: Command,
  root: string,
  { folder, project }: { readonly folder: string | undefined; readonly project: string },
  variables: Variables,
  set: Readonly<Record<string, string>>,
): string | undefined {
  if (command.kind === "shell")
    return (
      lineProblem(command.line, folder, variables) ??
      scriptProblem(command.line, folder) ??
      unfoundScript(command.line, folder ?? project, set)
    );
  try {
    const { file } = commandCall(command, root, variables);
    return folder === undefined && isRelative(file)
      ? undefined
      : programProblem(file, folder ?? root, variables);
  } catch (error) {
    if (error instanceof HookFailureError) return error.message;
    throw error;
  }
}

/**
 * What was not there when a command ended with this code. `python gone.py` ends with the code of a refusal, though what is
 * not there has not refused anything; whatever else is in doubt, the code is believed.
 */
export function missingAfter(
  exit_code: number,
  command: Command,
  folder: string,
  variables: Variables,
  set: Readonly<Record<string, string>>,
): string | undefined {
  if (command.kind !== "shell") return undefined;
  const { line } = command;
  const problem = NOT_RUN.includes(exit_code)
    ? (lineProblem(line, folder, variables) ?? unfoundScript(line, folder, set))
    : undefined;
  return problem ?? scriptProblem(line, folder);
}

/** True for a name that is looked up in the working folder, not on the PATH. */
function isRelative(file: string): boolean {
  return file.includes("/") && !isAbsolute(file);
}

function lineProblem(line: string, folder: string | undefined, variables: Variables): string | undefined {
  const { assignments = "", program } = plainStart(line);
  // With a PATH of its own it is looked up elsewhere.
  if (program === undefined || SHELL_WORDS.has(program) || /\bPATH=/.test(assignments)) return undefined;
  if (folder === undefined) return isRelative(program) ? undefined : programProblem(program, "/", variables);
  return programProblem(program, folder, variables);
}

function scriptProblem(line: string, folder: string | undefined): string | undefined {
  const { program = "", file } = plainStart(line);
  if (file === undefined || !INTERPRETERS.has(basename(program))) return undefined;
  if (folder === undefined && !isAbsolute(file)) return undefined;
  const path = resolve(folder ?? "/", file);
  return isFile(path) ? undefined : `There is no script ${path}.`;
}

/** A program and its arguments, perhaps in another folder: whatever it starts is started each time. */
const ONE_CALL = /^(?!\s*(?:source|\.)\s)\s*(?:cd\s+[^\s;&|]+\s*&&)?[^;&|<>()`\n]*(?:[<>][^;&|()`\n]*)?$/;

/** Not for a command that has refused: its own words say better why. */
function unfoundScript(
  line: string,
  folder: string,
  set: Readonly<Record<string, string>>,
): string | undefined {
  const script = ONE_CALL.test(line) ? firstScript(line, folder, set) : undefined;
  if (script === undefined || script.unknown || script.addsEnding) return undefined;
  const path = resolve(folder, script.path);
  return isFile(path) ? undefined : `There is no script ${path}.`;
}

/** What a hook failed by when its program could not be started; any other error stays what it is. */
export function startFailure(error: unknown): unknown {
  return error instanceof ProgramError
    ? new HookFailureError(error.kind, error.message, { cause: error })
    : error;
}
