import type { ShellCommand } from "../analysis.ts";
import type { Walk } from "../interpret/frame.ts";
import type { Program } from "./programs.ts";

const NONE: readonly string[] = [];

/** True when some word may be an option that holds a command. */
export function mayHideCommand({ commandOptions }: Program, words: readonly string[]): boolean {
  if (commandOptions === undefined) return false;
  return words.some((word) => word.startsWith("-") && commandOptions.some(([flag]) => word.startsWith(flag)));
}

/** Shell text that a program was given in an option or argument and will run. */
export function hiddenCommands(
  { commandOptions, commandArgument, otherCommands }: Program,
  command: ShellCommand,
  walk: Walk,
  stdin: string | undefined,
): readonly string[] {
  if (commandOptions === undefined && commandArgument === undefined && otherCommands === undefined)
    return NONE;
  const found: string[] = [];
  for (const option of command.options)
    for (const [flag, value] of commandOptions ?? [])
      if (flag === option.flag) addMatch(found, value, option.value);
  if (commandArgument !== undefined) for (const arg of command.args) addMatch(found, commandArgument, arg);
  if (otherCommands !== undefined) found.push(...otherCommands(command, walk, stdin));
  return found;
}

function addMatch(found: string[], pattern: RegExp, text: string): void {
  const command = pattern.exec(text)?.[1];
  if (command !== undefined) found.push(command);
}
