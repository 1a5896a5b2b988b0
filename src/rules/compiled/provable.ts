import type { ShellCommand } from "../shell/analysis.ts";

/** Where the programs of a system are; a program of the same name elsewhere may be anything. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
]);

/**
 * True when a command surely is the program it is called after: not one from another folder (`./ls`), and not one that
 * its environment makes another (`PATH=/tmp ls`, `LD_PRELOAD=x.so ls`; assignments that change nothing are not in the text).
 */
export function isNamedProgram({ text }: ShellCommand): boolean {
  const end = text.indexOf(" ");
  const word = end === -1 ? text : text.slice(0, end);
  if (/^\w+=/.test(word)) return false;
  const slash = word.lastIndexOf("/");
  return slash === -1 || SYSTEM_FOLDERS.has(word.slice(0, slash));
}
