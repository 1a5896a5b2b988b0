import type { ShellReach } from "../analysis.ts";
import { joinPath } from "../behaviours/paths.ts";
import type { Invocation } from "./invocation.ts";
import { pathsOrHere, reach, valuesOf } from "./reach-parts.ts";

type GitReacher = (subject: Invocation, args: readonly string[]) => readonly ShellReach[];

/** What git does to files it does by its index, which nobody looked into; its own folder it leaves alone. */
const SOME = { certain: false, except: [{ glob: ".git", of: "both" }] } as const;

/** A file of now, or as `revision:path` one of another time. */
const shows: GitReacher = ({ folder }, args) => {
  const paths = args.flatMap((arg) => [arg, arg.slice(arg.lastIndexOf(":") + 1)]);
  return reach(
    "reads",
    paths.map((path) => joinPath(folder, path)),
  );
};

const changesNamed: GitReacher = ({ parsed, touches }) =>
  parsed.flags.includes("--staged") && !parsed.flags.includes("--worktree")
    ? []
    : reach("writes", touches.writes, SOME);

const patches: GitReacher = (subject) =>
  subject.parsed.flags.some((flag) => /^--(?:check|stat|numstat|summary|cached|abort)$/.test(flag))
    ? []
    : reach("writes", pathsOrHere(subject, []), SOME);

const COMMANDS: Readonly<Record<string, GitReacher>> = {
  show: shows,
  "cat-file": shows,
  diff: shows,
  blame: shows,
  log: (subject, args) =>
    subject.parsed.flags.some((flag) => /^-[pu]$|^--patch$/.test(flag)) ? shows(subject, args) : [],
  grep: (subject, args) =>
    reach("reads", pathsOrHere(subject, args.slice(subject.parsed.flags.includes("-e") ? 0 : 1)), SOME),
  archive: (subject) => reach("reads", pathsOrHere(subject, []), SOME),
  clean: (subject, args) =>
    subject.parsed.flags.some((flag) => flag === "-n" || flag === "--dry-run")
      ? []
      : reach("writes", pathsOrHere(subject, args), {
          certain: false,
          except: [
            ...SOME.except,
            ...valuesOf(subject, "-e", "--exclude").map((glob) => ({ glob, of: "both" as const })),
          ],
        }),
  checkout: changesNamed,
  restore: changesNamed,
  reset: (subject) =>
    subject.parsed.flags.includes("--hard") ? reach("writes", pathsOrHere(subject, []), SOME) : [],
  apply: patches,
  am: patches,
  rm: (subject, args) =>
    subject.parsed.flags.includes("--cached") ? [] : reach("writes", pathsOrHere(subject, args), SOME),
  mv: (subject, args) => reach("reads", pathsOrHere(subject, args.slice(0, -1))),
};

/** What commands of git reach. Paths start at the folder of `-C`. */
export function gitReaches(given: Invocation): readonly ShellReach[] {
  const [command = "", ...args] = given.parsed.args;
  const reacher = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (reacher === undefined) return [];
  const [folder] = valuesOf(given, "-C");
  const subject = folder === undefined ? given : { ...given, folder: joinPath(given.folder, folder) };
  return reacher(subject, args);
}
