import { compilePathGlob } from "../core/glob.ts";
import type { RulePorts, Subject } from "./subject.ts";
import { readPath } from "./values.ts";

/** Names of fields that hold the path of a file or folder, so that a glob on them is one for paths. */
export const PATH_FIELDS = [
  "file_path",
  "path",
  "notebook_path",
  "filePath",
  "target_file",
  "absolute_path",
  "filename",
  "file",
  "dir_path",
  "directory",
  "relative_path",
  "old_path",
  "new_path",
  "source",
  "destination",
  "paths",
  "file_paths",
  "files",
] as const;

const PATH_LIKE = new Set<string | number>([
  ...PATH_FIELDS,
  "cwd",
  "transcript_path",
  "storage_path",
  "workdir",
  "working_directory",
]);

/** True for a field name known to hold a path. */
export function isPathField(name: string | number | undefined): boolean {
  return name !== undefined && PATH_LIKE.has(name);
}

/**
 * The files a path may mean, each with its spellings. The first is the path read as text, the second, when links
 * make it another, the one the file system sees. Spellings: absolute, and relative to the event's cwd.
 */
export function pathIdentities(subject: Subject, path: string): readonly (readonly string[])[] {
  subject.found.paths ??= new Map();
  const known = subject.found.paths.get(path);
  if (known !== undefined) return known;
  const cwd = cwdOf(subject);
  const names = new Set([
    lexicalPath(path, cwd, subject.ports.home),
    subject.ports.normalisePath(path, cwd).replaceAll("\\", "/"),
  ]);
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

/** The glob that a rule's pattern for paths stands for: `~` is the home, `dir/` is all that is in it. */
export function pathPattern(pattern: string, ports: RulePorts): string {
  const expanded = expandHome(pattern, ports.home);
  const whole = expanded.endsWith("/") && expanded !== "/" ? `${expanded}**` : expanded;
  return whole.startsWith("./") ? whole.slice(2) : whole;
}

/** A test for one spelling of a path. A pattern without a slash looks at the file name. */
export function compilePathPattern(
  pattern: string,
  ports: RulePorts,
  fold: boolean,
): (path: string) => boolean {
  return compilePathGlob(pathPattern(pattern, ports), fold);
}

function expandHome(path: string, home: string | undefined): string {
  return home !== undefined && (path === "~" || path.startsWith("~/")) ? `${home}${path.slice(1)}` : path;
}

function cwdOf(subject: Subject): string {
  const cwd = readPath(subject.event, ["cwd"]);
  return typeof cwd === "string" && cwd !== "" ? cwd : "/";
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
