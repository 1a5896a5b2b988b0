import { HookFailureError } from "../../core/hook-failure-error.ts";
import { programProblem } from "../../node/process/find-program.ts";
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

/** A line that plainly begins with a program: assignments may stand before it, nothing may be made up by the shell. */
const FIRST_WORD = /^\s*(?:[A-Za-z_]\w*=[\w./:-]*\s+)*([\w./+-]+)(?=[\s;|&<>]|$)/;

/** Why a command will fail for certain, as far as can be seen without running it. */
export function commandProblem(command: Command, root: string, variables: Variables): string | undefined {
  if (command.kind === "shell") {
    const word = FIRST_WORD.exec(command.line)?.[1];
    if (word === undefined || SHELL_WORDS.has(word)) return undefined;
    return programProblem(word, root, variables);
  }
  try {
    return programProblem(commandCall(command, root, variables).file, root, variables);
  } catch (error) {
    if (error instanceof HookFailureError) return error.message;
    throw error;
  }
}
