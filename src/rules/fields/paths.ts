import { isPathField, plainName } from "../../core/match/tool-inputs.ts";
import type { Subject } from "./subject.ts";
import { readPath } from "./values.ts";

/** Names of fields that hold a path which no tool touches, as {@link plainName} spells them. */
const FOLDER_FIELDS: ReadonlySet<string> = new Set([
  "cwd",
  "transcriptpath",
  "storagepath",
  "workdir",
  "workingdirectory",
]);

/** True for a field name known to hold a path, so that a glob on it is one for paths. */
export function isPathLike(name: string | number | undefined): boolean {
  return typeof name === "string" && (isPathField(name) || FOLDER_FIELDS.has(plainName(name)));
}

/**
 * The files a path may mean, each with its spellings. The first is the path read as text, the others, when links
 * make it another, the ones the file system sees. Spellings: absolute, and relative to the event's cwd.
 */
export function pathIdentities(subject: Subject, path: string): readonly (readonly string[])[] {
  subject.found.paths ??= new Map();
  const known = subject.found.paths.get(path);
  if (known !== undefined) return known;
  const cwd = cwdOf(subject);
  const lexical = lexicalPath(path, cwd, subject.ports.home);
  const real = (name: string) => subject.ports.normalisePath(name, cwd).replaceAll("\\", "/");
  // Programs that resolve `..` by text open another file than those that leave it to the system.
  const names = new Set([lexical, ...(path.includes("..") ? [real(lexical)] : []), real(path)]);
  const identities = [...names].map((name) => spellings(name, rootsOf(subject)));
  subject.found.paths.set(path, identities);
  return identities;
}

/** Absolute, with `.`, `..`, doubled slashes and `~` resolved by text alone. */
function lexicalPath(path: string, cwd: string, home: string | undefined): string {
  const plain = expandHome(path.replaceAll("\\", "/"), home);
  const absolute = plain.startsWith("/") || /^[A-Za-z]:\//.test(plain) ? plain : `${cwd}/${plain}`;
  const kept: string[] = [];
  for (const segment of absolute.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return /^[A-Za-z]:$/.test(kept[0] ?? "") ? kept.join("/") : `/${kept.join("/")}`;
}

/** A path in which a leading `~` is the home. */
export function expandHome(path: string, home: string | undefined): string {
  return home !== undefined && (path === "~" || path.startsWith("~/")) ? `${home}${path.slice(1)}` : path;
}

/** The event's folder; only the system knows where one begins that is not absolute. */
function cwdOf({ event, ports }: Subject): string {
  const cwd = readPath(event, ["cwd"]);
  if (typeof cwd !== "string" || cwd === "") return "/";
  return /^(?:[/\\]|[A-Za-z]:)/.test(cwd) ? cwd : ports.normalisePath(".", cwd);
}

function rootsOf(subject: Subject): readonly string[] {
  if (subject.found.roots === undefined) {
    const cwd = cwdOf(subject);
    subject.found.roots = [
      ...new Set([lexicalPath(cwd, "/", undefined), subject.ports.normalisePath(cwd, "/")]),
    ];
  }
  return subject.found.roots;
}

function spellings(path: string, roots: readonly string[]): readonly string[] {
  const relative = roots.flatMap((root) => {
    const prefix = root.endsWith("/") ? root : `${root}/`;
    if (path === root) return ["."];
    return path.startsWith(prefix) ? [path.slice(prefix.length)] : [];
  });
  return [path, ...new Set(relative)];
}
