import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "./files/folders.ts";
import { regularText } from "./files/regular-file.ts";
import { stateFolder } from "./user-folders.ts";

/** What a killed process left is removed after this time. */
const OLDEST_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;
/** A longer file is not read: programs can't be started with so many variables. */
const MOST_BYTES = 100_000;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Creates an empty file for the variables of a session, in a folder of its own, both for this user alone. Returns its path, or
 * `undefined` when nothing can be written.
 */
export function makeEnvFile(environment?: NodeJS.ProcessEnv): string | undefined {
  try {
    const folder = join(stateFolder(environment), "env");
    makeFolders(folder);
    for (const name of readdirSync(folder)) {
      const old = join(folder, name);
      const { mtimeMs = Date.now() } = statSync(old, { throwIfNoEntry: false }) ?? {};
      if (Date.now() - mtimeMs > OLDEST_MILLISECONDS) rmSync(old, { recursive: true, force: true });
    }
    const file = join(mkdtempSync(join(folder, "session-")), "env");
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    return file;
  } catch {
    return undefined;
  }
}

/** Removes the file with its folder. Never throws: what stays is removed later. */
export function removeEnvFile(file: string): void {
  try {
    rmSync(dirname(file), { recursive: true, force: true });
  } catch {
    // Somebody else's, or read-only.
  }
}

/** A line `NAME=value`, as shells write it; quoted parts may have several lines. Commands are not part of it. */
const LINE =
  /^[ \t]*(?:export[ \t]+|declare[ \t]+-x[ \t]+)?([A-Za-z_]\w*)=((?:'[^']*'|"(?:[^"\\`]|\\[\s\S])*"|\\[^\n]|[^\s'"\\`;&|<>()])*)[ \t]*;?[ \t]*(?:#.*)?$/gm;

const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|\$\{(\w+)\}|\$(\w+)|([\s\S])/g;
const IN_QUOTES = /\\([$`"\\])|\\\n|\$\{(\w+)\}|\$(\w+)|([\s\S])/g;

/**
 * The variables in the file, each with its last value. Nothing in it is run: `$NAME` is replaced, and a line with anything else
 * that a shell would carry out is left out.
 */
export function readEnvFile(file: string, environment: Variables): Record<string, string> {
  const found: Record<string, string> = {};
  const text = regularText(file, MOST_BYTES) ?? "";
  for (const [, name = "", written = ""] of text.matchAll(LINE)) {
    const value = unquoted(written, (other) => found[other] ?? environment[other] ?? "");
    // Ours say which agent and which run it is.
    if (value === undefined || value.includes("\0") || name.startsWith("TENTERHOOK_")) continue;
    found[name] = value;
  }
  return found;
}

/** `undefined` for what only a shell could work out: `$(…)`, `${NAME:-…}`, `$1`. */
function unquoted(written: string, variable: (name: string) => string): string | undefined {
  let value = "";
  for (const [, single, double, escaped, braced, plain, sign] of written.matchAll(PART)) {
    const name = braced ?? plain;
    if (sign === "$") return undefined;
    if (double === undefined)
      value += name === undefined ? (single ?? escaped ?? sign ?? "") : variable(name);
    else {
      for (const [, kept, inBraces, bare, other] of double.matchAll(IN_QUOTES)) {
        const inside = inBraces ?? bare;
        if (other === "$") return undefined;
        value += inside === undefined ? (kept ?? other ?? "") : variable(inside);
      }
    }
  }
  return value;
}
