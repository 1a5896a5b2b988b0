import type { ShellExcept, ShellReach } from "../analysis.ts";
import { joinPath } from "../behaviours/paths.ts";
import type { Invocation } from "./invocation.ts";

/** The same reach for several paths. */
export function reach(
  access: ShellReach["access"],
  paths: readonly string[],
  { certain = true, except = [] }: Partial<Pick<ShellReach, "certain" | "except">> = {},
): readonly ShellReach[] {
  return paths.map((path) => ({ access, path, except, certain }));
}

/** The values that were given to some options. */
export function valuesOf({ parsed }: Invocation, ...flags: readonly string[]): readonly string[] {
  return parsed.options.filter(({ flag }) => flags.includes(flag)).map(({ value }) => value);
}

/** Arguments as paths, or the folder the command runs in when there are none. */
export function pathsOrHere({ folder }: Invocation, args: readonly string[]): readonly string[] {
  return (args.length === 0 ? ["."] : args).map((path) => joinPath(folder, path));
}

/** What `--exclude` leaves out. Where something is included too, nobody knows which of the two comes first. */
export function excluded(subject: Invocation): readonly ShellExcept[] {
  const included = subject.parsed.flags.some((flag) => /^--(?:include|filter)/.test(flag));
  return included ? [] : valuesOf(subject, "--exclude").map((glob) => ({ glob, of: "both" }));
}
