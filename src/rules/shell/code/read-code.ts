import { decodeBase64, unescaped } from "../programs/emulate.ts";
import { matchesOf } from "../words/text.ts";
import {
  ASKED_AFTER,
  ASKED_BEFORE,
  AWK_STARTS_COMPUTED,
  BEFORE_COMMAND,
  CONNECTS,
  DECODES,
  DELETE_CALL,
  ENVIRONMENT_NAME,
  NETWORK_USE,
  PRINTS,
  RUNS_COMPUTED_TEXT,
  RUNS_TEXT,
  SHELL_PROGRAM,
  STARTS_COMPUTED,
  STARTS_PROGRAMS,
  TAKES_SOCKET,
  WHOLE_ENVIRONMENT,
  WRITES,
} from "./code-patterns.ts";

/** What a piece of Python, Perl, Ruby, JavaScript or PHP does, as far as its text shows. */
export interface CodeFindings {
  /** Shell text it passes to a shell or starts as a program. */
  readonly commands: readonly string[];
  /** Paths it deletes; empty text when it deletes something that is not named. */
  readonly deletes: readonly string[];
  readonly reads: readonly string[];
  /** Every string that may name a file. */
  readonly named: readonly string[];
  /** It writes to some file. */
  readonly writes: boolean;
  /** The files it may write to, as far as it names them: those it surely only reads are left out. */
  readonly written: readonly string[];
  readonly hosts: readonly string[];
  /** It opens a connection, to whatever host. */
  readonly network: boolean;
  /** It takes environment variables other than by a harmless name. */
  readonly environment: readonly string[];
  /** Variables of the environment that it prints; `*` for all of them. */
  readonly printed: readonly string[];
  /** It runs text that it computes or loads. */
  readonly dynamic: boolean;
  /** It runs text that came over the network. */
  readonly remote: boolean;
  /** It starts itself again without end. */
  readonly forks: boolean;
  /** It starts a shell on a socket. */
  readonly shellOnSocket: boolean;
}

const LONGEST_CODE = 32_768;

/** `'.cl' + 'aude'` is one string. */
const JOINED_STRINGS = /(?<=[^\\])(["'])\s{0,9}\+\s{0,9}\1/g;

/** Perl says with the name how a file is opened. */
const OPEN_MODE = /^\s{0,9}\+?[<>]{1,2}\s{0,9}/;
/** A path with a folder or a dot in it, unlike `utf8` and other words. */
const NAMES_FILE = /^(?![./]*$)[\w~@+-]*[./][\w~@+./ -]{0,400}$/;

/** In these, text in backquotes is a command; in JavaScript it is a template. */
const BACKQUOTES_RUN = /^(?:perl|ruby|php|lua|awk|julia)/;

/** Reads inline code without running it: its strings, and the calls before them. With `printsValue` its value is shown. */
export function readCode(program: string, code: string, printsValue = false): CodeFindings {
  const text = code.slice(0, LONGEST_CODE).replace(JOINED_STRINGS, "");
  const strings = codeStrings(text);
  const network = NETWORK_USE.test(text);
  const writes = WRITES.test(text);
  const deletes = deletedPaths(text);
  const paths = strings
    .map(({ value }) => value)
    .filter((value) => hostIn(value) === undefined && looksLikePath(value));
  return {
    commands: [
      ...startedTexts(program, text, strings),
      ...argumentLists(text),
      ...shellEscapes(text),
      ...(/^(?:tclsh|wish|expect)/.test(program) ? tclCommands(text) : []),
      ...decoded(text, strings),
    ],
    deletes,
    reads: paths.filter((path) => !deletes.includes(path)),
    named: strings.map(({ value }) => value.replace(OPEN_MODE, "")).filter((name) => NAMES_FILE.test(name)),
    writes,
    written: writes || isAwk(program) ? writtenFiles(program, text, strings) : [],
    hosts: hostsIn(text, strings),
    network,
    environment: environmentIn(text),
    printed: printsValue || PRINTS.test(text) ? shownVariables(text) : [],
    dynamic:
      code.length > LONGEST_CODE ||
      RUNS_COMPUTED_TEXT.test(text) ||
      (network && STARTS_COMPUTED.test(text)) ||
      (isAwk(program) && awkStartsComputed(withoutStrings(text, strings))),
    remote: network && CONNECTS.test(text) && RUNS_TEXT.test(text),
    forks: /\bfork\b/.test(text) && /\b(?:while|for|loop|until|iter)\b/.test(text),
    shellOnSocket:
      network && (TAKES_SOCKET.test(text) || strings.some(({ value }) => SHELL_PROGRAM.test(value))),
  };
}

/** Addresses, and the hosts of `("example.com", 80)`. A connection to an unknown place is one to `*`. */
function hostsIn(text: string, strings: readonly CodeString[]): readonly string[] {
  const connects = CONNECTS.test(text);
  const hosts = strings.flatMap(({ value, end }) => {
    const host = hostIn(value);
    if (host !== undefined || !connects || !/^[\w.:-]+$/.test(value)) return host ?? [];
    const after = text.slice(end, end + 24);
    return /^\s*,\s*(?:\d{1,5}|port)\b/i.test(after) ? [value.toLowerCase()] : [];
  });
  return connects && hosts.length === 0 ? ["*"] : hosts;
}

/** The code with every string empty. */
function withoutStrings(text: string, strings: readonly CodeString[]): string {
  let rest = "";
  let from = 0;
  for (const { at, end } of strings) {
    rest += `${text.slice(from, at)}""`;
    from = end;
  }
  return rest + text.slice(from);
}

/** Whether awk starts text that is not a string of the code itself, nor a variable that only ever holds one. */
function awkStartsComputed(text: string): boolean {
  return matchesOf(AWK_STARTS_COMPUTED, text).some((match) => {
    const name = match[1] ?? match[2] ?? match[3];
    if (name === undefined) return true;
    const set = matchesOf(new RegExp(`\\b${name}\\s*[-+*/%^]?=(?!=)\\s*(""\\s*(?:[;\\n})]|$))?`, "g"), text);
    const changed = new RegExp(
      `\\b(?:getline|in|sub|gsub|split)\\b[^;\\n]{0,80}\\b${name}\\b|\\bfor\\s*\\(\\s*${name}\\b`,
    );
    return set.length === 0 || set.some(([, literal]) => literal === undefined) || changed.test(text);
  });
}

/** `exec rm -rf x` of Tcl, whose words need no quotes. */
function tclCommands(text: string): readonly string[] {
  return matchesOf(TCL_EXEC, text).map((match) => match[1] ?? "");
}

const TCL_EXEC = /(?:^|[[;\n{])\s*(?:exec|spawn|open\s+"?\|)\s+([^\n\];}]{1,500})/g;

const ONLY_READS_BEFORE = /(?:readFile\w*|require|createReadStream|\.read|\bfrom|\bimport)\s*\(?\s*$/;
const OPENS_BEFORE = /\bopen\s*\(\s*$/;
/** No mode, or the one to read. */
const ONLY_READS_AFTER = /^\s*(?:\)|,\s*(?:encoding|mode\s*=\s*["']r[bt]?["']|["']r[bt]?["']))/;
const AWK_WRITES_BEFORE = />\s*$/;

function writtenFiles(program: string, text: string, strings: readonly CodeString[]): readonly string[] {
  const awk = isAwk(program);
  return strings.flatMap(({ value, at, end }) => {
    const name = value.replace(OPEN_MODE, "");
    const before = text.slice(Math.max(0, at - 60), at);
    if (awk) return AWK_WRITES_BEFORE.test(before) ? [name] : [];
    const after = text.slice(end, end + 60);
    const reads =
      ONLY_READS_BEFORE.test(before) || (OPENS_BEFORE.test(before) && ONLY_READS_AFTER.test(after));
    return reads || hostIn(value) !== undefined || !NAMES_FILE.test(name) ? [] : [name];
  });
}

function isAwk(program: string): boolean {
  return program.endsWith("awk");
}

function hostIn(value: string): string | undefined {
  const host =
    /^(?:https?|ftp|wss?|tcp):\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(value)?.[1] ??
    /^\/inet\/\w+\/\d+\/([^/]+)/.exec(value)?.[1];
  return host?.toLowerCase();
}

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
  const calls = matchesOf(NAMED_CALL, text).slice(0, 20);
  // A module or function may have been given any name: then a list of strings right after a bracket is a command.
  if (STARTS_PROGRAMS.test(text)) calls.push(...matchesOf(LIST_CALL, text).slice(0, 20));
  return calls.flatMap((call) => {
    const parts = codeStrings(call[1] ?? "").map(({ value }) => value);
    return parts.length > 1
      ? [parts.map((part) => `'${part.replaceAll("'", "")}'`).join(" "), parts.join(" ")]
      : [];
  });
}

const SHELL_ESCAPE = /(?:\bqx|%x)\s*[({[/!|]([^)}\]/!|]{1,500})|(?:^|\n)[:+]:?!(.{1,500})/g;

/** Perl's and Ruby's `qx(…)`, `%x(…)`, and an editor's `:!command`. */
function shellEscapes(text: string): readonly string[] {
  return matchesOf(SHELL_ESCAPE, text).map((match) => match[1] ?? match[2] ?? "");
}

/** The strings after each deleting call; empty text for a call that names none. */
function deletedPaths(text: string): readonly string[] {
  const found: string[] = [];
  let rest = text;
  for (let round = 0; round < 20; round += 1) {
    const match = DELETE_CALL.exec(rest);
    if (match === null) break;
    rest = rest.slice(match.index + match[0].length);
    const call = /^[^;\n]{0,300}/.exec(rest)?.[0] ?? "";
    const paths = codeStrings(call)
      .map(({ value }) => value)
      .filter((value) => value !== "" && value !== "utf8");
    found.push(...(paths.length > 0 ? paths.slice(0, 4) : [""]));
  }
  return found;
}

function looksLikePath(value: string): boolean {
  if (value.length > 400 || /^\.+$|^\/$/.test(value)) return false;
  return /^(?:[~/.]|\$HOME)[\w~./*$@%+ -]*$|^[\w.-]+\.(?:env|pem|key|json|txt|db|sqlite|yml|yaml|npmrc)$|^\.\w/.test(
    value,
  );
}

/** Variables taken from the environment; `*` when it is taken as a whole. */
function environmentIn(text: string): readonly string[] {
  const names = matchesOf(ENVIRONMENT_NAME, text).map((match) => match[1] ?? "");
  return WHOLE_ENVIRONMENT.test(text) ? [...names, "*"] : names;
}

/** Those whose values are used, not only asked for. */
function shownVariables(text: string): readonly string[] {
  const names = matchesOf(ENVIRONMENT_NAME, text).flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 12), match.index + 1).replace(/[\w$.]*$/, "");
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 16);
    return ASKED_BEFORE.test(before) || ASKED_AFTER.test(after) ? [] : [match[1] ?? ""];
  });
  return WHOLE_ENVIRONMENT.test(text) ? [...names, "*"] : names;
}

/** A string in a piece of code. */
interface CodeString {
  /** Its text, with escaped quotes and backslashes resolved. */
  readonly value: string;
  /** Where it begins, quote included. */
  readonly at: number;
  /** Where it ends, quote included. */
  readonly end: number;
  readonly quote: string;
}

const QUOTE = /["'`]/g;
/** The escapes that languages have in common. */
const ESCAPE = /\\(?:["'`\\nrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{3})/g;

/** The strings of Python, Perl, Ruby, JavaScript or PHP code, in time linear in its length. */
function codeStrings(code: string): readonly CodeString[] {
  const found: CodeString[] = [];
  // Where a search for a closing quote has ended in vain. One that begins before would end there too.
  const unclosed = new Map<string, number>();
  QUOTE.lastIndex = 0;
  for (let match = QUOTE.exec(code); match !== null; match = QUOTE.exec(code)) {
    const at = match.index;
    const quote = code.startsWith(match[0].repeat(3), at) ? match[0].repeat(3) : match[0];
    if (at < (unclosed.get(quote) ?? 0)) continue;
    const end = endOfString(code, at + quote.length, quote);
    if (!code.startsWith(quote, end)) {
      unclosed.set(quote, end);
      continue;
    }
    const inside = code.slice(at + quote.length, end);
    const value = inside.includes("\\") ? inside.replace(ESCAPE, unescaped) : inside;
    found.push({ value, at, end: end + quote.length, quote });
    QUOTE.lastIndex = end + quote.length;
  }
  return found;
}

/** Where the closing quote is, or where the text ends, or the line for quotes that must close on it. */
function endOfString(code: string, from: number, quote: string): number {
  const oneLine = quote === '"' || quote === "'";
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code.startsWith(quote, at)) return at;
    else if (oneLine && code[at] === "\n") return at;
  }
  return code.length;
}
