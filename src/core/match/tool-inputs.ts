import { isRecord } from "../base/json.ts";
import { canonicalToolOf } from "./tool-names.ts";

type EventFields = Readonly<Record<string, unknown>>;

/** The fields in which tools name the files and folders they touch, as {@link plainName} spells them. */
const PATH_FIELDS = words(`
  path paths file files filename filenames filepath filepaths absolutepath absolutefilepath
  relativepath relativefilepath relativeworkspacepath notebookpath targetfile targetpath
  targetdirectory directory directorypath dirpath folder folderpath searchpath searchdirectory
  inputpath outputpath outputfile oldpath newpath source sourcepath destination destinationpath
  src dst dest target
`);

/** The fields in which tools name a host or an address. */
const ADDRESS_FIELDS = words("url urls uri uris href baseurl host hostname domain domains endpoint");

/** Fields that hold an address, which may be that of a file. */
const FILE_URI_FIELDS = words("uri uris fileuri");

/** Fields that hold objects which name files of their own. */
const NESTED_FIELDS = words("edits operation operations changes writes entries items arguments params");

const DEEPEST = 3;

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** A field's name without its style: `AbsolutePath`, `absolute_path` and `absolute-path` are one. */
export function plainName(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}

/** True for a field known to hold a host or an address, with or without a scheme. */
export function isAddressField(name: string): boolean {
  return ADDRESS_FIELDS.has(plainName(name));
}

/** True for a field known to hold the path of a file or folder. */
export function isPathField(name: string): boolean {
  return PATH_FIELDS.has(plainName(name));
}

export interface NamedFile {
  readonly path: string;
  readonly field: readonly (string | number)[];
}

/** The files an object names in its path fields: as a string, in a list, and in the objects of a list. */
export function namedFiles(from: unknown): readonly NamedFile[] {
  const found: NamedFile[] = [];
  gatherFiles(from, [], found);
  return found;
}

function gatherFiles(from: unknown, at: NamedFile["field"], found: NamedFile[]): void {
  if (!isRecord(from) || at.length > DEEPEST * 2) return;
  for (const key of Object.keys(from)) {
    const name = plainName(key);
    const address = FILE_URI_FIELDS.has(name);
    const names = address || PATH_FIELDS.has(name);
    if (!names && !NESTED_FIELDS.has(name)) continue;
    const value = from[key];
    if (!Array.isArray(value)) {
      if (isRecord(value)) gatherFiles(value, [...at, key], found);
      else if (names) addFile(value, [...at, key], address, found);
      continue;
    }
    for (const [index, item] of value.entries()) {
      if (isRecord(item)) gatherFiles(item, [...at, key, index], found);
      else if (names) addFile(item, [...at, key, index], address, found);
    }
  }
}

function addFile(value: unknown, field: NamedFile["field"], address: boolean, found: NamedFile[]): void {
  if (typeof value !== "string" || value === "") return;
  const path = pathOfAddress(value);
  if (path !== undefined) found.push({ path, field });
  else if (!address || !/^[a-z][a-z0-9+.-]+:/i.test(value)) found.push({ path: value, field });
}

/** The path of a `file:` address, in which `%65` is an `e`; `undefined` for any other text. */
export function pathOfAddress(address: string): string | undefined {
  const [whole = "", path = ""] =
    /^file:(?:\/\/(?:localhost|127\.0\.0\.1)?(?=\/)|(?!\/\/))([^?#]*)/i.exec(address) ?? [];
  if (whole === "") return /^file:\/\//i.test(address) ? address.slice("file://".length) : undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A file a patch names, and whether its old content matters to the patch. */
export interface PatchedFile {
  readonly path: string;
  readonly reads: boolean;
}

// Tools that apply patches pass over spaces in front of a header.
const HEADER = /^[ \t]*\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm;
const DIFF_HEADER = /^[ \t]*(---|\+\+\+|(?:rename|copy) (?:from|to)) (.+)$/gm;
/** Inside the other kind of patch a removed `-- remark` looks like a header; two headers in a row hardly do. */
const DIFF_HEADERS = /^[ \t]*--- (.+)\r?\n[ \t]*\+\+\+ (.+)$/gm;

/** The files a patch names, in the form of `apply_patch` tools or as a unified diff. */
export function patchedFiles(text: string): readonly PatchedFile[] {
  const files = Array.from(text.matchAll(HEADER), ([, verb, path = ""]) => ({
    path: path.trim(),
    reads: verb === "Update File",
  }));
  if (files.length === 0) {
    for (const [, mark = "", name = ""] of text.matchAll(DIFF_HEADER)) {
      addDiffFile(name, mark === "---" || mark.endsWith("from"), files);
    }
    return files;
  }
  for (const [, before = "", after = ""] of text.matchAll(DIFF_HEADERS)) {
    addDiffFile(before, true, files);
    addDiffFile(after, false, files);
  }
  return files;
}

function addDiffFile(header: string, reads: boolean, files: PatchedFile[]): void {
  const [name = ""] = header.split("\t");
  const path = name
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/^[ab]\//, "");
  if (path !== "" && path !== "/dev/null") files.push({ path, reads });
}

/** The files in the input of a tool that applies patches, in whichever field the patch is. */
export function filesOfPatch(input: unknown): readonly PatchedFile[] {
  const texts: string[] = [];
  gatherTexts(input, texts, 0);
  const named = namedFiles(input).map(({ path }) => ({ path, reads: true }));
  return [...named, ...texts.flatMap(patchedFiles)];
}

function gatherTexts(value: unknown, texts: string[], depth: number): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null && depth < DEEPEST)
    for (const item of Object.values(value)) gatherTexts(item, texts, depth + 1);
}

/** The model an event is about; of a switch, the one that is switched to. */
export function modelOf(event: EventFields): string | undefined {
  const request = isRecord(event.request) ? event.request.model : undefined;
  for (const model of [event.new_model, event.model, request]) if (typeof model === "string") return model;
  return undefined;
}

export function pathsOf(event: EventFields): readonly string[] {
  const paths: string[] = [];
  if (typeof event.file_path === "string") paths.push(event.file_path);
  const input = event.tool_input;
  if (canonicalToolOf(event) === "ApplyPatch") {
    for (const { path } of filesOfPatch(input)) paths.push(path);
    return paths;
  }
  if (!isRecord(input)) return paths;
  for (const { path } of namedFiles(input)) paths.push(path);
  for (const field of ["input", "patch", "command"]) {
    const text = input[field];
    if (typeof text !== "string" || !text.includes("*** ")) continue;
    for (const { path } of patchedFiles(text)) paths.push(path);
  }
  return paths;
}
