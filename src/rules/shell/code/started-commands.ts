import { decodeBase64 } from "../programs/emulate.ts";
import { isOwnProgram, OWN_PROGRAM } from "../programs/program-name.ts";
import { AWK_STARTS_COMPUTED, BEFORE_COMMAND, DECODES, STARTS_PROGRAMS } from "./code-patterns.ts";
import { type CodeString, codeStrings, withoutStrings } from "./code-strings.ts";

/** Shell text that code passes to a shell or starts as a program. */
export function startedCommands(
  program: string,
  text: string,
  strings: readonly CodeString[],
): readonly string[] {
  const variable = SETS_LOADER.exec(text)?.[1];
  const found = [
    ...startedTexts(program, text, strings),
    ...argumentLists(text),
    ...shellEscapes(text),
    ...(/^(?:tclsh|wish|expect)/.test(program) ? tclCommands(text) : []),
    ...decoded(text, strings),
    ...loadsOwnProgram(text, strings),
  ];
  return variable === undefined ? found : found.map((command) => `export ${variable}=$VALUE; ${command}`);
}

/** A variable that loads code, set for what the code starts. */
const SETS_LOADER =
  /\b(NODE_OPTIONS|NODE_PATH|LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_\w+|PERL5\w+|BASH_ENV|PYTHONSTARTUP)\b["'\]]*\s*(?:[:,]|=(?!=))/;

/** Our program's file as a module: it reads its words from the process, so nobody knows them. */
function loadsOwnProgram(text: string, strings: readonly CodeString[]): readonly string[] {
  const loads = strings.some(
    ({ value, at }) =>
      /\.[cm]?js$|\/\.?bin\//.test(value) &&
      isOwnProgram(value) &&
      /(?:require|import|from|load\w*|Worker|fork|runMain)\b[^;]{0,60}$/.test(
        text.slice(Math.max(0, at - 80), at),
      ),
  );
  return loads ? [`${OWN_PROGRAM} $ARGV`] : [];
}

/** Whether awk starts text that is not a string of the code itself, nor a variable that only ever holds one. */
export function awkStartsComputed(program: string, code: string, strings: readonly CodeString[]): boolean {
  if (!isAwk(program)) return false;
  const text = withoutStrings(code, strings);
  return [...text.matchAll(AWK_STARTS_COMPUTED)].some((match) => {
    const name = match[1] ?? match[2] ?? match[3];
    if (name === undefined) return true;
    const assigns = new RegExp(`\\b${name}\\s*[-+*/%^]?=(?!=)\\s*(""\\s*(?:[;\\n})]|$))?`, "g");
    const set = [...text.matchAll(assigns)];
    const changed = new RegExp(
      `\\b(?:getline|in|sub|gsub|split)\\b[^;\\n]{0,80}\\b${name}\\b|\\bfor\\s*\\(\\s*${name}\\b`,
    );
    return set.length === 0 || set.some(([, literal]) => literal === undefined) || changed.test(text);
  });
}

export function isAwk(program: string): boolean {
  return program.endsWith("awk");
}

/** In these, text in backquotes is a command; in JavaScript it is a template. */
const BACKQUOTES_RUN = /^(?:perl|ruby|php|lua|awk|julia)/;

/** `"command" | getline` and `print | "command"`. */
const AWK_PIPE = /\|&?\s*getline|[^|]\|&?\s*"/;

/** Strings that a call starts, and in code that starts programs every string that looks like a command. */
function startedTexts(program: string, text: string, strings: readonly CodeString[]): readonly string[] {
  const starts = STARTS_PROGRAMS.test(text) || (isAwk(program) && AWK_PIPE.test(text));
  return strings
    .filter(({ value, at, end, quote }) => {
      if (quote === "`" && BACKQUOTES_RUN.test(program)) return true;
      if (isAwk(program) && isPiped(text, at, end)) return true;
      if (starts && /^\s*[\w./-]+\s+\S/.test(value)) return true;
      return BEFORE_COMMAND.test(text.slice(Math.max(0, at - 60), at));
    })
    .map(({ value }) => value);
}

/** `print | "sh"` and `"date" | getline`. */
function isPiped(text: string, at: number, end: number): boolean {
  return (
    /[^|]\|&?\s*$/.test(text.slice(Math.max(0, at - 8), at)) ||
    /^\s*\|&?\s*getline/.test(text.slice(end, end + 24))
  );
}

/** Base64 texts that the code decodes, read as the shell text they may be. */
function decoded(text: string, strings: readonly CodeString[]): readonly string[] {
  if (!DECODES.test(text)) return [];
  return strings.flatMap(({ value }) => {
    const plain = /^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(value) ? decodeBase64(value) : undefined;
    return plain !== undefined && /^[\t\n -~]+$/.test(plain) ? [plain] : [];
  });
}

const NAMED_CALL =
  /(?:subprocess\.\w+|spawn\w*|exec(?!ut)\w*|check_\w+|Popen|system|os\.spawn\w+|Open3\.\w+)\s*\(?([^();]{0,1000})/g;
const LIST_CALL = /\w\s*\(\s*\[([^\]();]{0,1000})/g;

/**
 * The strings of one call, as one command: `subprocess.run(["rm", "-rf", "x"])`, `exec "rm", "-rf", "x"`. They are read
 * both as a list of words and as pieces of one text, since languages differ.
 */
function argumentLists(text: string): readonly string[] {
  const calls = [...text.matchAll(NAMED_CALL)];
  // A module or function may have been given any name: then a list of strings right after a bracket is a command.
  if (STARTS_PROGRAMS.test(text)) calls.push(...text.matchAll(LIST_CALL));
  return calls.flatMap((call) => {
    const all = codeStrings(call[1] ?? "").map(({ value }) => value);
    // `execvp("rm", ["rm", "-r"])` names the program twice.
    const parts = all[0] === all[1] ? all.slice(1) : all;
    return parts.length > 1
      ? [parts.map((part) => `'${part.replaceAll("'", "")}'`).join(" "), parts.join(" ")]
      : [];
  });
}

const SHELL_ESCAPE = /(?:\bqx|%x)\s*[({[/!|]([^)}\]/!|]{1,500})|(?:^|\n)[:+]:?!(.{1,500})/g;

/** Perl's and Ruby's `qx(…)`, `%x(…)`, and an editor's `:!command`. */
function shellEscapes(text: string): readonly string[] {
  return Array.from(text.matchAll(SHELL_ESCAPE), (match) => match[1] ?? match[2] ?? "");
}

/** `exec rm -rf x` of Tcl, whose words need no quotes. */
function tclCommands(text: string): readonly string[] {
  return Array.from(text.matchAll(TCL_EXEC), (match) => match[1] ?? "");
}

const TCL_EXEC = /(?:^|[[;\n{])\s*(?:exec|spawn|open\s+"?\|)\s+([^\n\];}]{1,500})/g;
