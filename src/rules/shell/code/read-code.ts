import { losesData } from "../judge/statements.ts";
import {
  ASKED_AFTER,
  ASKED_BEFORE,
  CONNECTS,
  DELETE_CALL,
  DELETES_ALL,
  ENVIRONMENT_NAME,
  FINDS_FILES,
  NETWORK_USE,
  PRINTS,
  READS_CONTENT,
  RUNS_COMPUTED_TEXT,
  RUNS_STATEMENT,
  RUNS_TEXT,
  SHELL_PROGRAM,
  STARTS_COMPUTED,
  TAKES_SOCKET,
  WHOLE_ENVIRONMENT,
  WRITES,
} from "./code-patterns.ts";
import { type CodeString, codeStrings } from "./code-strings.ts";
import { awkStartsComputed, isAwk, startedCommands } from "./started-commands.ts";

/** What a piece of Python, Perl, Ruby, JavaScript or PHP does, as far as its text shows. */
export interface CodeFindings {
  /** Shell text it passes to a shell or starts as a program. */
  readonly commands: readonly string[];
  /** Paths it deletes; empty text when it deletes something that is not named. */
  readonly deletes: readonly string[];
  readonly reads: readonly string[];
  /** Every string that may name a file. */
  readonly named: readonly string[];
  /** Folders and globs in which it looks for files to read. */
  readonly finds: readonly string[];
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

export const LONGEST_CODE = 131_072;

/** `'.cl' + 'aude'` is one string. */
const JOINED_STRINGS = /(?<=[^\\])(["'])\s{0,9}\+\s{0,9}\1/g;

/** Perl says with the name how a file is opened. */
const OPEN_MODE = /^\s{0,9}\+?[<>]{1,2}\s{0,9}/;
/** A path with a folder or a dot in it, unlike `utf8` and other words. */
const NAMES_FILE = /^(?![./]*$)[\w~@+-]*[./][\w~@+./ -]{0,400}$/;
/** The same with a wildcard below a folder: unlike `/*` it has letters. */
const NAMES_FILES = /^(?=.*[A-Za-z])[\w~@+.-]{0,400}(?:\/[\w~@+.*-]{1,400}){1,40}$/;
/** What a format fills in: `%s`, `{}`, `{name}`, `${name}`. */
const FILLED_IN = /%[sdr]|\$?\{[^{}]{0,100}\}/g;

/** Reads inline code without running it: its strings, and the calls before them. With `printsValue` its value is shown. */
export function readCode(program: string, code: string, printsValue = false): CodeFindings {
  const text = code.slice(0, LONGEST_CODE).replace(JOINED_STRINGS, "");
  const strings = codeStrings(text);
  const network = NETWORK_USE.test(text);
  const writes = WRITES.test(text);
  const deletes = [...deletedPaths(text), ...(losesRecords(text, strings) ? [""] : [])];
  const paths = strings
    .map(({ value }) => value)
    .filter((value) => hostIn(value) === undefined && looksLikePath(value));
  return {
    commands: startedCommands(program, text, strings),
    deletes,
    reads: paths.filter((path) => !deletes.includes(path)),
    named: strings.flatMap(({ value }) => fileNamed(value) ?? []),
    finds: READS_CONTENT.test(text) ? foundFiles(text) : [],
    writes,
    written: writes || isAwk(program) ? writtenFiles(program, text, strings) : [],
    hosts: hostsIn(text, strings),
    network,
    environment: environmentIn(text),
    printed: printsValue || PRINTS.test(text) ? shownVariables(text) : [],
    dynamic:
      RUNS_COMPUTED_TEXT.test(text) ||
      (network && STARTS_COMPUTED.test(text)) ||
      awkStartsComputed(program, text, strings),
    remote: network && CONNECTS.test(text) && RUNS_TEXT.test(text),
    forks: /\bfork\b/.test(text) && /\b(?:while|for|loop|until|iter)\b/.test(text),
    shellOnSocket:
      network && (TAKES_SOCKET.test(text) || strings.some(({ value }) => SHELL_PROGRAM.test(value))),
  };
}

/** True for code that drops or empties what a database or a service keeps. */
function losesRecords(text: string, strings: readonly CodeString[]): boolean {
  if (DELETES_ALL.test(text)) return true;
  return (
    RUNS_STATEMENT.test(text) && strings.some(({ value }) => STATEMENT.test(value) && losesData(value, "sql"))
  );
}

const STATEMENT = /^\s*(?:drop|truncate|delete|update|alter|with|begin|set)\s/i;

/** The first text after a call, when only names and brackets are before it. */
const FIRST_TEXT = /^[\s([.\w,:$]{0,40}?(["'])([^"'\n]{0,300})\1/;
const OF_FOLDER = /\bPath\w*\s*\(\s*["']([^"'\n]{0,300})["']\s*\)\s*\.\s*$/;

/** Where code looks for files: a folder or a glob by each call, and the folder it runs in for one that names none. */
function foundFiles(text: string): readonly string[] {
  const found = Array.from(text.matchAll(FINDS_FILES), (call) => {
    const end = call.index + call[0].length;
    if (call[0] === "<") return text.slice(end, text.indexOf(">", end));
    const folder = OF_FOLDER.exec(text.slice(Math.max(0, call.index - 340), call.index))?.[1];
    const named = FIRST_TEXT.exec(text.slice(end, end + 360))?.[2]?.replaceAll(FILLED_IN, "*");
    const glob = call[0] === "rglob" && named !== undefined ? `**/${named}` : named;
    return [folder, glob].filter((part) => part !== undefined && part !== "").join("/") || ".";
  });
  return [...new Set(found)];
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

const ONLY_READS_BEFORE = /(?:readFile\w*|require|createReadStream|\.read|\bfrom|\bimport)\s*\(?\s*$/;
/** What a text is searched for is no file. */
const SEARCHES_BEFORE =
  /\.(?:replace(?:All)?|split|includes|indexOf|find|count|startsWith|startswith|endsWith|endswith)\s*\(\s*$/;
const OPENS_BEFORE = /\bopen\s*\(\s*$/;
/** No mode, or the one to read. */
const ONLY_READS_AFTER = /^\s*(?:\)|,\s*(?:encoding|mode\s*=\s*["']r[bt]?["']|["']r[bt]?["']))/;
const AWK_WRITES_BEFORE = />\s*$/;

function writtenFiles(program: string, text: string, strings: readonly CodeString[]): readonly string[] {
  const awk = isAwk(program);
  return strings.flatMap(({ value, at, end }) => {
    const before = text.slice(Math.max(0, at - 60), at);
    if (awk) return AWK_WRITES_BEFORE.test(before) ? [value.replace(OPEN_MODE, "")] : [];
    const after = text.slice(end, end + 60);
    const reads =
      ONLY_READS_BEFORE.test(before) ||
      SEARCHES_BEFORE.test(before) ||
      (OPENS_BEFORE.test(before) && ONLY_READS_AFTER.test(after));
    return reads || hostIn(value) !== undefined ? [] : (fileNamed(value) ?? []);
  });
}

/** The file, or the glob of files, that a string names. */
function fileNamed(value: string): string | undefined {
  const name = value.replace(OPEN_MODE, "");
  if (NAMES_FILE.test(name)) return name;
  const glob = name.replaceAll(FILLED_IN, "*");
  return NAMES_FILES.test(glob) ? glob : undefined;
}

function hostIn(value: string): string | undefined {
  const host =
    /^(?:https?|ftp|wss?|tcp):\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(value)?.[1] ??
    /^\/inet\/\w+\/\d+\/([^/]+)/.exec(value)?.[1];
  return host?.toLowerCase();
}

/** The strings after each deleting call; empty text for a call that names none. */
function deletedPaths(text: string): readonly string[] {
  const found: string[] = [];
  let rest = text;
  for (let match = DELETE_CALL.exec(rest); match !== null; match = DELETE_CALL.exec(rest)) {
    rest = rest.slice(match.index + match[0].length);
    const call = /^[^;\n]{0,300}/.exec(rest)?.[0] ?? "";
    const paths = codeStrings(call)
      .map(({ value }) => value)
      .filter((value) => value !== "" && value !== "utf8");
    found.push(...(paths.length > 0 ? paths : [""]));
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
  const names = Array.from(text.matchAll(ENVIRONMENT_NAME), (match) => match[1] ?? "");
  return WHOLE_ENVIRONMENT.test(text) ? [...names, "*"] : names;
}

/** Those whose values are used, not only asked for. */
function shownVariables(text: string): readonly string[] {
  const names = [...text.matchAll(ENVIRONMENT_NAME)].flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 12), match.index + 1).replace(/[\w$.]*$/, "");
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 16);
    return ASKED_BEFORE.test(before) || ASKED_AFTER.test(after) ? [] : [match[1] ?? ""];
  });
  return WHOLE_ENVIRONMENT.test(text) ? [...names, "*"] : names;
}
