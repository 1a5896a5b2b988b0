import { dirname, join, resolve } from "node:path";
import { parse } from "es-module-lexer/js";
import { isRecord } from "../../core/base/json.ts";
import { regularText } from "./regular-file.ts";

/** What a module may load, as far as its text tells. */
export interface ModuleImports {
  /** Paths without what follows `?` or `#`, with or without a suffix. */
  readonly paths: readonly string[];
  /** Those among them that are written as relative ones. */
  readonly relative: readonly string[];
  /** True when it imports by a name that is only known when it runs. */
  readonly computed: boolean;
}

const MOST_BYTES = 1_000_000;

/**
 * A string that can be the path of code: for whatever `createRequire` returns, for `new URL`, however the program calls
 * them. One too many does no harm; data that a module only reads is not meant.
 */
const PATHS =
  /["'`]([^"'`\s]{1,300}\.(?:[cm]?[jt]sx?|node|wasm)(?:[?#][^"'`\s]*)?|\.{1,2}(?:\/[^"'`\s.]*)*)["'`]|\brequire\s*\(\s*["'`]([^"'`\n]+)["'`]/g;

const IS_PATH = /^(?:\.{1,2}(?:\/|$)|\/|file:)/;

/** A `require` or an `import` whose argument is not a plain string. */
const COMPUTED = /\b(?:require|import)\s*\(\s*(?!["'/)]|`[^`$]*`)/;

/**
 * The files that a module may load: what a parser finds in `import` and `export`, and every string in it that can be a
 * path. Names with `#`, and the package's own name, are looked up in its `package.json`, which then counts too.
 */
export function importsOf(file: string, text: string): ModuleImports {
  const found = new Set<string>();
  let computed = COMPUTED.test(text);
  const names = [...text.matchAll(PATHS)].map(([, path, required]) => path ?? required ?? "");
  try {
    for (const { n: name, d: dynamic } of parse(text)[0]) {
      if (name !== undefined && IS_PATH.test(name)) names.push(name);
      else if (name?.startsWith("#")) names.push(name);
      else if (dynamic >= 0) computed = true;
    }
  } catch {
    // TypeScript, CommonJS or a syntax error: the strings are all there is.
  }
  const bare = [...text.matchAll(/["'`]([#@\w][\w@./*-]{0,200})["'`]/g)].map(([, name = ""]) => name);
  const at = (name: string): string => resolve(dirname(file), withoutQuery(name));
  for (const name of names) if (!name.startsWith("#")) found.add(at(name));
  for (const path of ofPackage(file, [...names, ...bare])) found.add(path);
  const relative = [...new Set(names.filter((name) => name.startsWith(".")).map(at))];
  return { paths: [...found], relative, computed };
}

function withoutQuery(name: string): string {
  const path = URL.canParse(name) && name.startsWith("file:") ? decodeURI(new URL(name).pathname) : name;
  return path.replace(/(?<=.)[?#].*$/, "");
}

/** What the nearest `package.json` says about these names: all the files it could mean, and itself. */
function ofPackage(file: string, names: readonly string[]): readonly string[] {
  const inner = names.filter((name) => name.startsWith("#"));
  const found = nearestPackage(dirname(file));
  if (found === undefined) return [];
  const { folder, content } = found;
  const own = typeof content.name === "string" ? content.name : "";
  const self = own === "" ? [] : names.filter((name) => name === own || name.startsWith(`${own}/`));
  const targets = [
    ...inner.flatMap((name) => targetsOf(content.imports, name)),
    ...self.flatMap((name) => targetsOf(content.exports, `.${name.slice(own.length)}`)),
  ];
  if (targets.length === 0) return [];
  return [join(folder, "package.json"), ...targets.map((target) => resolve(folder, target))];
}

function nearestPackage(
  from: string,
): { readonly folder: string; readonly content: Readonly<Record<string, unknown>> } | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const text = regularText(join(folder, "package.json"), MOST_BYTES);
    try {
      const content: unknown = text === undefined ? undefined : JSON.parse(text);
      if (isRecord(content)) return { folder, content };
    } catch {
      return undefined;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** Every file that a name can stand for, under whatever condition. */
function targetsOf(map: unknown, name: string): readonly string[] {
  if (!isRecord(map)) return name === "." ? textsIn(map) : [];
  if (name === "." && !Object.keys(map).some((key) => key.startsWith("."))) return textsIn(map);
  return Object.entries(map).flatMap(([key, value]) => {
    if (key === name) return textsIn(value);
    const [before = "", after] = key.split("*");
    if (after === undefined || !name.startsWith(before) || !name.endsWith(after)) return [];
    const middle = name.slice(before.length, name.length - after.length);
    return textsIn(value).map((target) => target.replaceAll("*", middle));
  });
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.startsWith("./") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
