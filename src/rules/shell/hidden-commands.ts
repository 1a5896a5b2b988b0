import type { ShellCommand } from "./analysis.ts";
import type { Walk } from "./frame.ts";

/** `COPY … TO PROGRAM '…'`, which a database server hands to a shell. */
const TO_PROGRAM = /\bprogram\s+'([^']+)'/i;

/** Options whose value a program hands to a shell, or starts; the first group of the expression is the command. */
const OPTION_COMMANDS: Readonly<Record<string, readonly (readonly [flag: string, value: RegExp])[]>> = {
  git: [
    [
      "-c",
      /^(?:core\.(?:pager|editor|sshCommand|fsmonitor|askPass|gitProxy)|sequence\.editor|diff\.external|diff\.\w+\.textconv|pager\.\w+|gpg\.program|merge\.\w+\.driver|filter\.\w+\.\w+)=(.+)$/is,
    ],
    ["-c", /^(?:alias\.[\w-]+|credential\.helper)=!(.+)$/is],
    ["--upload-pack", /^(.+)$/s],
  ],
  tar: [
    ["--to-command", /^(.+)$/s],
    ["--checkpoint-action", /^exec=(.+)$/s],
    ["-I", /^(.+)$/s],
    ["--use-compress-program", /^(.+)$/s],
  ],
  ssh: [["-o", /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is]],
  scp: [
    ["-o", /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is],
    ["-S", /^(.+)$/s],
  ],
  rsync: [
    ["-e", /^(.+)$/s],
    ["--rsync-path", /^(.+)$/s],
  ],
  man: [["-P", /^(.+)$/s]],
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
  sed: /^(?:\d+|\$|\/[^/]*\/)?\s*e\s+(.+)$/s,
  expect: /\bspawn\s+([^\n;]+)/s,
  emacs: /shell-command\s+"([^"]+)"/s,
  gdb: /^(?:shell|!)\s*(.+)$/s,
};

/** True when some word may be an option or argument that holds a command. */
export function mayHide(name: string, words: readonly string[]): boolean {
  if (name === "make" || Object.hasOwn(ARGUMENT_COMMANDS, name)) return name !== "sed";
  const rows = Object.hasOwn(OPTION_COMMANDS, name) ? (OPTION_COMMANDS[name] ?? []) : [];
  return rows.some(([flag]) => words.some((word) => word.startsWith(flag)));
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
  const rows = Object.hasOwn(OPTION_COMMANDS, name) ? OPTION_COMMANDS[name] : undefined;
  const pattern = Object.hasOwn(ARGUMENT_COMMANDS, name) ? ARGUMENT_COMMANDS[name] : undefined;
  if (rows === undefined && pattern === undefined) return NONE;
  const found: (string | undefined)[] = [];
  for (const option of options)
    for (const [flag, value] of rows ?? [])
      if (flag === option.flag) found.push(value.exec(option.value)?.[1]);
  if (pattern !== undefined) for (const arg of args) found.push(pattern.exec(arg)?.[1]);
  return found.filter((text) => text !== undefined);
}

/** The lines of a makefile that the line itself has made up. */
function recipes(command: ShellCommand, walk: Walk, stdin: string | undefined): readonly string[] {
  const files = [...command.options.map((option) => option.value), ...command.args];
  const texts = files.map(
    (file) =>
      (file === "-" ? stdin : undefined) ??
      walk.substitutions.get(file)?.text ??
      walk.files.get(file)?.text ??
      "",
  );
  return texts
    .flatMap((text) => text.split("\n"))
    .map((line) => line.replace(/^[\w. -]*:[^;]*(?:;|$)/, "").trim())
    .filter((line) => line !== "");
}
