import type { RulePorts } from "../../src/rules/fields/judged-event.ts";
import { type FileEntry, type FileView, fileRulePorts } from "../../src/shared/system/file-view.ts";
import { posix } from "./posix.ts";

/** The machine that a call would run on, as the page describes it. Nothing is asked of the reader's own. */
export interface Described {
  readonly home: string;
  /** The folder the agent works in. */
  readonly folder: string;
  /** A line each: `.env` is a file, `build/` a folder, `dist -> /srv/www` a link. Nothing else is there. */
  readonly files: string;
  /** A line each: `NAME=value`. */
  readonly variables: string;
}

/** A question about the file system, and what it was told. */
export interface Asked {
  readonly path: string;
  readonly answer: string;
}

/** What rules and paths need of a machine. */
export interface Machine {
  readonly files: FileView;
  readonly rules: RulePorts;
  /** What was asked since the last call of this, each path once. */
  asked(): readonly Asked[];
}

/** A file system as the engine asks about it: the one a page describes, or the answers that another one gave. */
export type Answers = Pick<FileView, "home" | "entryAt"> &
  Required<Pick<RulePorts, "everythingIn" | "environment">>;

export function machineOf(answers: Answers): Machine {
  const asked = new Map<string, string>();
  const files: FileView = {
    syntax: posix,
    home: answers.home,
    entryAt(path) {
      const entry = answers.entryAt(path);
      asked.set(path, inWords(entry));
      return entry;
    },
    trueSpelling: (path) => path,
  };
  return {
    files,
    rules: {
      ...fileRulePorts(files),
      environment: answers.environment,
      everythingIn(path) {
        const found = answers.everythingIn(path);
        asked.set(`${path}/**`, found === undefined ? "too much to look at" : countOf(found.length));
        return found;
      },
    },
    asked() {
      const found = [...asked].map(([path, answer]) => ({ path, answer }));
      asked.clear();
      return found;
    },
  };
}

function inWords(entry: FileEntry | undefined): string {
  if (entry === undefined) return "not there";
  if (entry.is === "link") return `a link to ${entry.to}`;
  return entry.is === "folder" ? "a folder" : "a file";
}

function countOf(found: number): string {
  return found === 0 ? "not there" : `${found} ${found === 1 ? "file" : "files and folders"}`;
}

/** The machine that the page describes. */
export function describedAnswers({ home, folder, files, variables }: Described): Answers {
  const entries = new Map<string, FileEntry>([["/", FOLDER]]);
  const put = (path: string, entry: FileEntry) => {
    const parts = path.split("/").slice(1, -1);
    for (const at of parts.keys()) {
      const above = `/${parts.slice(0, at + 1).join("/")}`;
      if (!entries.has(above)) entries.set(above, FOLDER);
    }
    if (entry !== FOLDER || !entries.has(path)) entries.set(path, entry);
  };
  put(posix.resolve(home), FOLDER);
  put(posix.resolve(folder), FOLDER);
  for (const line of linesOf(files)) {
    const [name = "", target] = line.split(/\s+->\s+/);
    const path = posix.resolve(folder, name.startsWith("~/") ? `${home}${name.slice(1)}` : name);
    if (target !== undefined) put(path, { is: "link", to: target });
    else put(path, name.endsWith("/") ? FOLDER : FILE);
  }
  return {
    home,
    environment: { HOME: home, ...variablesOf(variables) },
    entryAt: (path) => entries.get(path),
    everythingIn: (path) => {
      const below = path === "/" ? path : `${path}/`;
      return [...entries.keys()].filter((one) => one === path || one.startsWith(below));
    },
  };
}

const FOLDER: FileEntry = { is: "folder" };
const FILE: FileEntry = { is: "file", empty: false };

function variablesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const [name = ""] = line.split("=", 1);
      return [name, line.slice(name.length + 1)];
    }),
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
