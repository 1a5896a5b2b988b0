import { basename, resolve } from "node:path";
import { HookFailureError } from "../../core/hook-failure-error.ts";
import { isFile, programProblem } from "../../node/process/find-program.ts";
import { shellLine } from "../../node/process/start-program.ts";
import type { Command } from "./command-settings.ts";
import { type Argv, scriptCall } from "./script.ts";

type Variables = Readonly<Record<string, string | undefined>>;

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

/** Words that the shell knows itself, so that no file needs to be there. */
const SHELL_WORDS = new Set(
  ". : [ alias bg break case cd command continue echo eval exec exit export false fg for getopts if jobs kill printf pwd read readonly return set shift test times trap true type ulimit umask unset until wait while".split(
    " ",
  ),
);

/** Programs that run the file they are given; some end with the code of a refusal when it is not there. */
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
 * A line that plainly begins with a program, and perhaps a file for it: assignments may stand before it, nothing may be
 * made up by the shell.
 */
const PLAIN_START =
  /^\s*(?:[A-Za-z_]\w*=[\w./:-]*\s+)*(?<program>[\w./+-]+)(?:\s+(?<file>[\w./+-]+\.\w+))?(?=[\s;|&<>]|$)/;

/** Why a command will fail for certain, as far as can be seen without running it. */
export function commandProblem(command: Command, root: string, variables: Variables): string | undefined {
  if (command.kind === "shell") {
    const { program, file } = PLAIN_START.exec(command.line)?.groups ?? {};
    if (program === undefined || SHELL_WORDS.has(program)) return undefined;
    const problem = programProblem(program, root, variables);
    if (problem !== undefined || file === undefined || !INTERPRETERS.has(basename(program))) return problem;
    return isFile(resolve(root, file)) ? undefined : `There is no script ${resolve(root, file)}.`;
  }
  try {
    return programProblem(commandCall(command, root, variables).file, root, variables);
  } catch (error) {
    if (error instanceof HookFailureError) return error.message;
    throw error;
  }
}
