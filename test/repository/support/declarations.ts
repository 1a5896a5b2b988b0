import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Names of `export { A, type B as C } from "./file"` in an emitted declaration file. */
const RE_EXPORT = /export (?:type )?\{([^}]*)\} from ["']([^"']+)["']/g;
const RE_EXPORT_ALL = /export \* from ["']([^"']+)["']/g;
const DECLARATION = /^export (?:declare )?(?:abstract )?(?:const|function|class|interface|type) (\w+)/gm;

/** The exported names of a declaration file, each with whether a doc comment stands before its declaration. */
export function documented(file: string): ReadonlyMap<string, boolean> {
  const source = readFileSync(file, "utf8");
  const found = new Map<string, boolean>();
  for (const match of source.matchAll(DECLARATION)) {
    const before = source.slice(0, match.index).trimEnd();
    // Of overloads, the first carries the comment.
    if (!found.has(match[1] ?? "")) found.set(match[1] ?? "", before.endsWith("*/"));
  }
  const declarationsOf = (from: string) => documented(join(dirname(file), from.replace(/\.[jt]s$/, ".d.ts")));
  for (const [, from = ""] of source.matchAll(RE_EXPORT_ALL)) {
    // What the file exports itself comes before what it passes on.
    for (const [name, commented] of declarationsOf(from)) if (!found.has(name)) found.set(name, commented);
  }
  for (const [, list = "", from = ""] of source.matchAll(RE_EXPORT)) {
    const theirs = declarationsOf(from);
    for (const item of list.split(",").flatMap((part) => part.trim() || [])) {
      const [name = "", as = name] = item.replace(/^type /, "").split(" as ");
      found.set(as, theirs.get(name) ?? false);
    }
  }
  return found;
}
