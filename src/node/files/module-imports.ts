import { basename, dirname, join, resolve } from "node:path";
import { parse } from "es-module-lexer/js";
import { isRecord, parseRecord } from "../../core/base/json.ts";
import { regularText } from "./regular-file.ts";

/** What a module may load, as far as its text tells. */
export interface ModuleImports {
  /** Paths without what follows `?` or `#`, with or without a suffix. */
  readonly paths: readonly string[];
  /** Every `package.json` that decides what the names in it mean, or would if it were there. */
  readonly packages: readonly string[];
  /** Those among the paths that are written as relative ones. */
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

/** A `require` or an `import` whose first argument is not a plain string, with or without comments around it. */
const COMPUTED =
  /\b(?:require|import)\s*\((?!\s*\)|(?:\s|\/\*(?:[^*]|\*(?!\/)){0,300}\*\/)*(?:"[^"\n]*"|'[^'\n]*'|`[^`$]*`)\s*[,)])/;

const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{0*([\da-f]{1,5}|10[\da-f]{4})\})/gi;

/**
 * The files that a module may load: what a parser finds in `import` and `export`, and every string in it that can be a
 * path. Names with `#`, and the package's own name, are looked up in its `package.json`, which then counts too.
 */
export function importsOf(file: string, text: string): ModuleImports {
  const found = new Set<string>();
  let computed = COMPUTED.test(text);
  const names = [...text.matchAll(PATHS)].map(([, path, required]) => unescaped(path ?? required ?? ""));
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
  const main = basename(file) === "package.json" ? mainIn(text) : [];
  // `import` reads a name as a part of a URL, `require` as it is.
  for (const name of [...names, ...main].filter((one) => !one.startsWith("#")))
    found.add(at(name)).add(at(decoded(name)));
  const { targets, packages } = ofPackage(file, [...names, ...bare]);
  for (const path of targets) found.add(path);
  const relative = [...new Set(names.filter((name) => name.startsWith(".")).map(at))];
  return { paths: [...found], packages, relative, computed };
}

function unescaped(name: string): string {
  return name.replaceAll(ESCAPE, (_, ...[two, four, braced]: (string | undefined)[]) =>
    String.fromCodePoint(Number.parseInt(two ?? four ?? braced ?? "", 16)),
  );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function withoutQuery(name: string): string {
  const path = URL.canParse(name) && name.startsWith("file:") ? decoded(new URL(name).pathname) : name;
  return path.replace(/(?<=.)[?#].*$/, "");
}

function mainIn(text: string): readonly string[] {
  const { main } = parseRecord(text);
  return typeof main === "string" ? [main] : [];
}

/** What the nearest `package.json` says about these names: all the files it could mean, and every place it can be in. */
function ofPackage(
  file: string,
  names: readonly string[],
): { readonly targets: readonly string[]; readonly packages: readonly string[] } {
  const inner = names.filter((name) => name.startsWith("#"));
  const { folder, content, looked } = nearestPackage(dirname(file));
  const own = typeof content.name === "string" ? content.name : "";
  const self = own === "" ? [] : names.filter((name) => name === own || name.startsWith(`${own}/`));
  const targets = [
    ...inner.flatMap((name) => targetsOf(content.imports, name)),
    ...self.flatMap((name) => targetsOf(content.exports, `.${name.slice(own.length)}`)),
  ];
  const packages = inner.length + self.length === 0 ? [] : looked;
  return { targets: targets.map((target) => resolve(folder, target)), packages };
}

interface NearestPackage {
  readonly folder: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** The file, after those that would be nearer. */
  readonly looked: readonly string[];
}

function nearestPackage(from: string): NearestPackage {
  const looked: string[] = [];
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    const text = regularText(file, MOST_BYTES);
    looked.push(file);
    if (text === undefined && dirname(folder) !== folder) continue;
    return { folder, content: parseRecord(text ?? ""), looked };
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
