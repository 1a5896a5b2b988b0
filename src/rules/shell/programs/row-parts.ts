import type { ParsedOptions, ShellCommand, ShellExcept, ShellReach } from "../analysis.ts";
import type { Walk } from "../state/frame.ts";
import { joinPath } from "../words/paths.ts";
import type { AddTouch, FindCode, FindReach, Invocation, Touches, Wrapper } from "./program-row.ts";

/** A wrapper without options of its own that changes nothing about the command. */
export const PLAIN: Wrapper = { transparent: true };

/** The values that were given to some options. */
export function valuesOf({ options }: ParsedOptions, ...flags: readonly string[]): readonly string[] {
  return options.filter(({ flag }) => flags.includes(flag)).map(({ value }) => value);
}

/** True when one of the options was given. */
export function has({ parsed }: Invocation, ...flags: readonly string[]): boolean {
  return parsed.flags.some((flag) => flags.includes(flag));
}

/** Reads code from the values of some options or, for a bare interpreter, from standard input. */
export function codeAfter(...flags: readonly string[]): FindCode {
  return (words, parsed, stdin) => {
    const given = valuesOf(parsed, ...flags);
    if (given.length > 0) return given.join("\n");
    const loose = words.findIndex((word) => flags.includes(word) || /^-[a-zA-Z]*[eE]$/.test(word));
    if (loose !== -1 && words[loose + 1] !== undefined) return words[loose + 1];
    return parsed.args.length === 0 || parsed.args[0] === "-" ? stdin : undefined;
  };
}

/** An argument that sends the content of a file; `-` is standard input. */
export function upload(path: string, add: AddTouch, touches: Touches, listed = false): void {
  if (path === "-" || path === "/dev/stdin" || path === ".") return;
  if (!listed) add("r", path);
  touches.uploads.push(path);
}

/** The same reach for several paths. */
export function reach(
  access: ShellReach["access"],
  paths: readonly string[],
  { certain = true, except = [] }: Partial<Pick<ShellReach, "certain" | "except">> = {},
): readonly ShellReach[] {
  return paths.map((path) => ({ access, path, except, certain }));
}

/** Arguments as paths, or the folder the command runs in when there are none. */
export function pathsOrHere({ folder }: Invocation, args: readonly string[]): readonly string[] {
  return (args.length === 0 ? ["."] : args).map((path) => joinPath(folder, path));
}

/** What `--exclude` leaves out. Nothing where something is included too, since the order decides then. */
export function excluded({ parsed }: Invocation): readonly ShellExcept[] {
  const included = parsed.flags.some((flag) => /^--(?:include|filter)/.test(flag));
  return included ? [] : valuesOf(parsed, "--exclude").map((glob) => ({ glob, of: "both" }));
}

/** With one of these options the folders it reads are read with everything in them. */
export function readsWhenRecursive(...flags: readonly string[]): FindReach {
  return (invocation) =>
    has(invocation, ...flags)
      ? reach("reads", invocation.touches.reads, { except: excluded(invocation) })
      : [];
}

/** A file with a variable on each line. */
const VARIABLES_FILE = /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|[\w-]+\.env)$/;

/** `-d=` gives the sign as its value, which is read as `-d` with an empty one. */
export function isEqualsSign(value: string): boolean {
  return value === "=" || value === "";
}

/** It shows no values of the variables in the files that it reads, when these have variables alone. */
export function usesVariables({ reads, uses }: Touches): void {
  if (reads.every((path) => VARIABLES_FILE.test(path))) uses.push(...reads.splice(0));
}

/** Takes back that these commands show files with variables. */
export function withoutDisclosing(walk: Walk, commands: readonly ShellCommand[]): void {
  for (const command of commands) {
    const at = walk.commands.indexOf(command);
    if (at === -1) continue;
    const behaviours = command.behaviours.filter(
      ({ kind, target }) => kind !== "discloses" || !VARIABLES_FILE.test(target),
    );
    walk.commands[at] = { ...command, behaviours };
  }
}

/** With `-i` it changes the files it reads. */
export function inPlace(parsed: ParsedOptions, _add: AddTouch, touches: Touches): void {
  if (parsed.flags.includes("-i")) touches.writes.push(...touches.reads.splice(0), ...touches.uses.splice(0));
}
