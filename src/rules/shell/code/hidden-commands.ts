import type { ShellCommand } from "../analysis.ts";
import type { Walk } from "../interpret/frame.ts";
import { byProgram } from "../programs/by-program.ts";
import { ITEM } from "../words/partly-known-text.ts";

/** `COPY … TO PROGRAM '…'`, which a database server hands to a shell. */
const TO_PROGRAM = /\bprogram\s+'([^']+)'/i;

/** All of the value is the command. */
function whole(flag: string): readonly [flag: string, value: RegExp] {
  return [flag, /^(.+)$/s];
}

/** Options whose value a program hands to a shell, or starts; the first group of the expression is the command. */
const OPTION_COMMANDS: Readonly<Record<string, readonly (readonly [flag: string, value: RegExp])[]>> = {
  git: [
    [
      "-c",
      /^(?:core\.(?:pager|editor|sshCommand|fsmonitor|askPass|gitProxy)|sequence\.editor|diff\.external|diff\.\w+\.textconv|pager\.\w+|gpg\.program|merge\.\w+\.driver|filter\.\w+\.\w+)=(.+)$/is,
    ],
    ["-c", /^(?:alias\.[\w-]+|credential\.helper)=!(.+)$/is],
    ...["--upload-pack", "--receive-pack", "--exec", "--open-files-in-pager", "--extcmd"].map(whole),
  ],
  tar: [
    whole("--to-command"),
    ["--checkpoint-action", /^exec=(.+)$/s],
    ...["-I", "--use-compress-program", "--rsh-command", "--info-script", "-F", "--new-volume-script"].map(
      whole,
    ),
  ],
  ssh: [["-o", /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is]],
  scp: [["-o", /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is], whole("-S")],
  rsync: [whole("-e"), whole("--rsh"), whole("--rsync-path")],
  man: [whole("-P"), whole("--pager")],
  sort: [whole("--compress-program")],
  split: [whole("--filter")],
  ansible: [whole("-a"), whole("--args")],
  psql: [
    ["-c", /^\s*\\!\s*(.+)$/s],
    ["-c", TO_PROGRAM],
  ],
  mysql: [["-e", /(?:^|;)\s*(?:\\!|system)\s+(.+)$/s]],
  gdb: [["-ex", /^(?:shell|!)\s*(.+)$/s]],
};

/** Arguments that hold a command: sed's `e`, the dot commands of sqlite3, an expect script. */
const ARGUMENT_COMMANDS: Readonly<Record<string, RegExp>> = {
  sqlite3: /^\.(?:shell|system)\s+(.+)$/s,
  sed: /^(?:\d+|\$|\/[^/]*\/)?\s*!?\s*e\s+(.+)$/s,
  git: /^(?:ext::|!)(.+)$/s,
  less: /^\+!(.+)$/s,
  expect: /\bspawn\s+([^\n;]+)/s,
  emacs: /shell-command\s+"([^"]+)"/s,
  gdb: /^(?:shell|!)\s*(.+)$/s,
};

/** What these run has spaces or an exclamation mark in it, which only quotes hold together. */
const QUOTED = new Set(["sed", "git", "less"]);

/** `s/a/b/e` runs what comes of the replacement. */
const RUNS_REPLACED = /^(?:\S*[\s;{])?s([^\w\s\\]).*\1[gpimIM\d]*e[gpimIM\d]*(?:[\s;}]|$)/s;

/** Where a program may hold a command. */
const placesOf = byProgram((name) => ({
  rows: Object.hasOwn(OPTION_COMMANDS, name) ? OPTION_COMMANDS[name] : undefined,
  pattern: Object.hasOwn(ARGUMENT_COMMANDS, name) ? ARGUMENT_COMMANDS[name] : undefined,
}));

/** True when some word may be an option or argument that holds a command. */
export function mayHide(name: string, words: readonly string[]): boolean {
  if (name === "make") return true;
  if (Object.hasOwn(ARGUMENT_COMMANDS, name) && !QUOTED.has(name)) return true;
  const { rows } = placesOf(name);
  if (rows === undefined) return false;
  return words.some((word) => word.startsWith("-") && rows.some(([flag]) => word.startsWith(flag)));
}

const NONE: readonly string[] = [];

/** Shell text that a program was given in an option or argument and will run. */
export function hiddenCommands(
  command: ShellCommand,
  walk: Walk,
  stdin: string | undefined,
): readonly string[] {
  const { name = "", options, args } = command;
  if (name === "make") return recipes(command, walk, stdin);
  const { rows, pattern } = placesOf(name);
  if (rows === undefined && pattern === undefined) return NONE;
  const found: string[] = [];
  if (rows !== undefined)
    for (const option of options)
      for (const [flag, value] of rows) if (flag === option.flag) addMatch(found, value, option.value);
  if (pattern !== undefined) for (const arg of args) addMatch(found, pattern, arg);
  if (name === "sed") {
    const scripts = [...args, ...options.map((option) => option.value)];
    if (scripts.some((script) => RUNS_REPLACED.test(script))) found.push(ITEM);
  }
  return found;
}

function addMatch(found: string[], pattern: RegExp, text: string): void {
  const command = pattern.exec(text)?.[1];
  if (command !== undefined) found.push(command);
}

/** The lines of a makefile that the line itself has made up. */
function recipes(command: ShellCommand, walk: Walk, stdin: string | undefined): readonly string[] {
  const files = [...command.options.map((option) => option.value), ...command.args];
  const texts = files.map(
    (file) =>
      (file === "-" ? stdin : undefined) ??
      walk.substitutions?.get(file)?.text ??
      walk.files?.get(file)?.text ??
      "",
  );
  // `$(shell text)` and the shell of all recipes may stand in any word.
  for (const word of files)
    texts.push(/\$\(shell\s+(.+)\)/s.exec(word)?.[1] ?? /^SHELL=(.+)$/s.exec(word)?.[1] ?? "");
  return texts
    .flatMap((text) => text.split("\n"))
    .map((line) => line.replace(/^[\w. -]*:[^;]*(?:;|$)/, "").trim())
    .filter((line) => line !== "");
}
