import { isRecord } from "../../core/base/json.ts";
import { shellWord } from "../../shared/shell-word.ts";

/**
 * The lines that `run_commands` would run; `undefined` when they can't be read. It takes them in many forms, and what it
 * ignores when there are several is judged too.
 */
export function commandLines(input: unknown): readonly string[] | undefined {
  const items = itemsIn(input);
  const lines = items?.map(lineOf).filter((line) => line !== undefined);
  return lines?.length === items?.length ? lines : undefined;
}

function itemsIn(input: unknown): readonly unknown[] | undefined {
  if (typeof input === "string") return [input];
  if (Array.isArray(input)) return input;
  if (!isRecord(input)) return undefined;
  const { commands, command, args, cmd } = input;
  const items = [
    ...(Array.isArray(commands) ? commands : [commands]),
    args === undefined ? command : { command, args },
    cmd,
  ].filter((item) => item !== undefined);
  return items.length === 0 && commands === undefined ? undefined : items;
}

/** A line for the shell, or a program with its arguments, which it starts without one. */
function lineOf(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  if (!isRecord(item) || typeof item.command !== "string") return undefined;
  const { command, args } = item;
  if (args === undefined) return command;
  if (!Array.isArray(args) || args.some((arg) => typeof arg !== "string")) return undefined;
  return [command, ...args].map(shellWord).join(" ");
}

/** Words and signs that leave nothing open for the next line. */
const PLAIN = /^[\w@%+=:,./~ *?|&;>-]*[\w@%+=:,./~*? ;-]$/;
/** Words that may begin something which goes on in the next line. */
const OPENS = /\b(?:if|then|elif|else|for|while|until|do|case|select|function|coproc|time)\b/;

/**
 * Several lines as one text. Cline runs each in a shell of its own, at the same time: a quote or a here-document that one
 * leaves open must not hide the next.
 */
export function oneCommand(lines: readonly string[]): string {
  if (lines.length === 1) return lines.join("");
  return lines
    .map((line) => (PLAIN.test(line) && !OPENS.test(line) ? line : `bash -c ${shellWord(line)}`))
    .join("\n");
}
