import { basename } from "node:path";
import { belowRoot, INSTALLED_FOLDERS } from "../../shared/system-folders.ts";
import { isInside } from "../files/real-path.ts";
import { homeFolder } from "../user-folders.ts";

/** The script that a command starts. */
export interface FirstScript {
  /** As a shell would read it, with the folder of a `cd` before it in front; not resolved. */
  readonly path: string;
  /** True when it can't be known without running the command: a variable, a pattern or another command is in it. */
  readonly unknown: boolean;
  /** True for a program that also finds `name.js` when it is given `name`. */
  readonly addsEnding: boolean;
}

/** Programs that run the file they are given, by name and version. */
const INTERPRETER =
  /^(?:(?:ba|da|k|z|fi)?sh|source|\.|python|pypy|ruby|perl|php|lua|pwsh|osascript|Rscript|node|nodejs|bun|deno|tsx|ts-node)[\d.]*$/;
const SHELL = /^(?:ba|da|k|z|fi)?sh$/;
const JAVASCRIPT = /^(?:node|nodejs|bun|deno|tsx|ts-node)$/;

/** Words before the command that is meant: of the shell, of programs that start another, of those that run packages. */
const BEFORE = new Set(
  "! { if then elif else do while until time exec command nohup env sudo nice stdbuf timeout setsid xargs npx bunx uv poetry run".split(
    " ",
  ),
);

/** A word after which an interpreter takes code or the name of a module instead of a file. */
const TAKES_CODE = /^(?:-[a-zA-Z]*[cemp]|--eval(?:=.*)?|--print(?:=.*)?|-Command)$/s;
const ALSO_CODE: Readonly<Record<string, string>> = { php: "-r", deno: "eval" };

/** An option of shells that takes the word after it: `-o pipefail`, `-euo pipefail`. */
const TAKES_WORD = /^[-+][a-zA-Z]*[oO]$/;

/** The text that a line hands to a program: `<<EOF`, `<<-'EOF'`. */
const HERE_DOCUMENT = /(<<-?\s*(["']?)(\w+)\2[^\n]*)\n(?:[\s\S]*?\n)?\s*\3(?=\n|$)/g;

const INSTALLED = belowRoot(INSTALLED_FOLDERS);

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/** A variable with its default: `$HOME`, `${D}`, `${D:-.}`. */
const VARIABLE = /\$(?:\{(\w+)(?::?[-=]([^}]*))?\}|(\w+))/g;

/** A word with its quotes, a redirection with its target, or what ends a simple command. */
const TOKEN =
  /\d?[<>][<>|&]*\s*(?:"[^"]*"|'[^']*'|[^\s;&|<>()"'])*|(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|\$\([^()]*\)|`[^`]*`|[^\s;&|<>()`"'\\])+|[;&|()\n]/g;

/** The depth of lines inside lines: `sh -c "bash -c '…'"`. */
const DEEPEST = 4;

/**
 * The first script of a command: a path that is the program, or the file that a known interpreter is given. Every other
 * file that a command names is data of the command, or code of the project like any other.
 *
 * @param command a line for a shell, or a program with its arguments.
 * @param set variables that are known when the command runs.
 */
export function firstScript(
  command: string | readonly string[],
  root: string,
  set: Readonly<Record<string, string>> = {},
): FirstScript | undefined {
  const roots = ["CLAUDE_PROJECT_DIR", "TENTERHOOK_PROJECT_DIR", "PWD"].map((name) => [name, root] as const);
  const known = new Map([...roots, ["HOME", homeFolder()], ...Object.entries(set)]);
  const reading = { root, known, depth: 0 };
  if (typeof command === "string") return scriptOfLine(command, reading);
  return scriptOfWords(
    command.map((word) => expanded(word, known)),
    reading,
  );
}

interface Reading {
  readonly root: string;
  readonly known: Map<string, string>;
  readonly depth: number;
}

function scriptOfLine(line: string, reading: Reading): FirstScript | undefined {
  let folder = "";
  for (const words of simpleCommands(line, reading.known)) {
    const found = scriptOfWords(words, reading);
    if (found !== undefined) return { ...found, path: below(folder, found.path) };
    if (words[0] === "cd" && words[1] !== undefined) folder = below(folder, words[1]);
  }
  return undefined;
}

function below(folder: string, path: string): string {
  return folder === "" || path.startsWith("/") ? path : `${folder}/${path}`;
}

function scriptOfWords(words: readonly string[], reading: Reading): FirstScript | undefined {
  const { root, depth } = reading;
  const at = words.findIndex((word) => !isBefore(word));
  const [program, ...rest] = words.slice(at === -1 ? words.length : at);
  if (program === undefined) return undefined;
  const name = basename(program);
  if (!INTERPRETER.test(name)) {
    const isOurs = /[/$`]/.test(program) && (!INSTALLED.test(program) || isInside(program, root));
    return isOurs ? script(program, false) : undefined;
  }
  const isShell = SHELL.test(name);
  const operand = rest.findIndex(
    (word, at) =>
      !word.startsWith("-") && word !== "run" && !(isShell && TAKES_WORD.test(rest[at - 1] ?? "")),
  );
  const code = rest.findIndex((word) => TAKES_CODE.test(word) || word === ALSO_CODE[name]);
  const isCode = code !== -1 && (operand === -1 || code <= operand);
  const inner = rest[code + 1];
  if (isCode) {
    const isLine = isShell && inner !== undefined && depth < DEEPEST;
    return isLine ? scriptOfLine(inner, { ...reading, depth: depth + 1 }) : undefined;
  }
  const given = rest[operand];
  return given === undefined ? undefined : script(given, JAVASCRIPT.test(name));
}

/** Also a number, as `timeout 5` has it, an option of such a program, and a variable for the command alone. */
function isBefore(word: string): boolean {
  const name = INSTALLED.test(word) ? basename(word) : word;
  return BEFORE.has(name) || ASSIGNMENT.test(word) || /^(?:-|\d+[smh]?$)/.test(word);
}

function script(path: string, addsEnding: boolean): FirstScript {
  return { path, unknown: /[$`*?[]|\{[^{}]*,/.test(path), addsEnding };
}

/** The words of each simple command, without quotes and redirections, with known variables replaced. */
function simpleCommands(line: string, known: Reading["known"]): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  // The patterns of a `case` and the items of a list are words that nobody runs.
  let cases = 0;
  let isData = false;
  let before = "";
  for (const [token] of line.replaceAll("\\\n", "").replaceAll(HERE_DOCUMENT, "$1").matchAll(TOKEN)) {
    const last = before;
    before = token;
    if (isData) {
      isData = token !== ")" && token !== "esac";
      if (!isData) commands.push([]);
      continue;
    }
    if (/^\d?[<>]/.test(token)) continue;
    if (/^[;&|()\n]$/.test(token)) {
      isData = (token === "(" && /^\w+\+?=$/.test(last)) || (cases > 0 && token === ";" && last === ";");
      commands.push([]);
      continue;
    }
    if (token === "esac") cases -= 1;
    if (token === "in" && commands.at(-1)?.[0] === "case") {
      cases += 1;
      isData = true;
    }
    const word = expanded(unquoted(token), known);
    const [, name, value] = ASSIGNMENT.exec(word) ?? [];
    if (name !== undefined && value !== undefined) known.set(name, value);
    commands.at(-1)?.push(word);
  }
  return commands.filter((words) => words.length > 0);
}

function unquoted(token: string): string {
  return token.replaceAll(
    /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|\\([\s\S])/g,
    (_, double?: string, single?: string, escaped?: string) =>
      double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "",
  );
}

function expanded(word: string, known: Reading["known"]): string {
  return word
    .replaceAll(/\$\(\s*pwd\s*\)|`\s*pwd\s*`/g, () => "$PWD")
    .replaceAll(
      VARIABLE,
      (whole: string, braced: string | undefined, other: string | undefined, plain: string | undefined) =>
        known.get(braced ?? plain ?? "") ?? other ?? whole,
    )
    .replace(/^~(?=\/|$)/, () => homeFolder());
}
