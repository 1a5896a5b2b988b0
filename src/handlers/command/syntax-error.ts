import { basename } from "node:path";
import { shellLine } from "../../node/process/start-program.ts";
import { REFUSED } from "../reply/read-exit.ts";
import { type Command, plainStart } from "./command-call.ts";

/** What dash and bash call a line or file that they can't read; bash shows the line after it. */
const SYNTAX_ERROR =
  /^(?<name>.+?): (?:(?:-c|eval): )?(?:line )?\d+: (?:eval: )?(?:syntax error|unexpected EOF)/i;
const SHOWN_LINE = /: line \d+: `/;

/** A line with more in it than a program and its arguments may refuse because of a syntax error. */
const MORE_THAN_A_CALL = /[;|&<>()$`\n]/;

/**
 * True when a shell ended with the code of a refusal because it could not read the hook itself. The error must be the
 * last that was written, and name the shell or the script that the hook starts.
 */
export function isSyntaxError(exit_code: number, stderr: string, command: Command): boolean {
  if (exit_code !== REFUSED) return false;
  const lines = stderr.trimEnd().split("\n");
  if (SHOWN_LINE.test(lines.at(-1) ?? "") && lines.length > 1) lines.pop();
  const name = SYNTAX_ERROR.exec(lines.at(-1) ?? "")?.groups?.name;
  return name !== undefined && isOf(command, name);
}

function isOf(command: Command, name: string): boolean {
  switch (command.kind) {
    case "script":
      return basename(name) === basename(command.file);
    case "program":
      return name === command.file || name === command.args[0];
    case "shell": {
      if (name === shellLine("").file) return true;
      const { program, file } = plainStart(command.line);
      return !MORE_THAN_A_CALL.test(command.line) && (name === program || name === file);
    }
    default:
      return command satisfies never;
  }
}
