import { TenterhookError } from "../../core/base/errors.ts";
import type { HandlerSettings } from "../handler-types.ts";

/** What a command hook starts. */
export type Command =
  | { readonly kind: "shell"; readonly line: string }
  | { readonly kind: "program"; readonly file: string; readonly args: readonly string[] }
  | { readonly kind: "script"; readonly file: string; readonly args: readonly string[] };

/**
 * What a definition says is to be started: a text is a line for the shell, a list or anything with `args` is a program
 * without one, `script` a file.
 *
 * @throws TenterhookError `invalid_option` for none of them, for both, and for values of another type.
 */
export function readCommand({ command, script, args }: HandlerSettings): Command {
  const given = args === undefined ? [] : textList(args, "args");
  if (command !== undefined && script !== undefined)
    throw invalid("A command hook has either command or script, not both.");
  if (script !== undefined) return { kind: "script", file: text(script, "script"), args: given };
  if (command === undefined) throw invalid("A command hook needs command or script.");
  if (typeof command === "string" && args === undefined)
    return { kind: "shell", line: text(command, "command") };
  const [file = "", ...first] = Array.isArray(command)
    ? textList(command, "command")
    : [text(command, "command")];
  if (file.trim() === "") throw invalid("command must begin with the name of a program.");
  return { kind: "program", file, args: [...first, ...given] };
}

/**
 * A list of texts, any of which may be empty.
 *
 * @throws TenterhookError `invalid_option`.
 */
export function textList(value: unknown, key: string): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  const texts = list.filter((item) => typeof item === "string");
  if (texts.length !== list.length) throw invalid(`${key} must be a list of texts.`);
  return texts;
}

function text(value: unknown, key: string): string {
  if (typeof value !== "string" || value.trim() === "")
    throw invalid(`${key} must be a text that is not blank.`);
  return value;
}

function invalid(message: string): TenterhookError {
  return new TenterhookError("invalid_option", message, {
    hint: 'Give command: "line for the shell", command: ["program", "argument"], or script: path/to/file.sh.',
  });
}
