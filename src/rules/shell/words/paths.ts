import { shown, withoutTrailing } from "./text.ts";

/** Other spellings of the working folder at the beginning of a path. */
const HERE = /^(?:~\+|\/proc\/(?:self|thread-self)\/cwd)(?=\/|$)/;

/** A path as it is after `cd folder`. */
export function joinPath(folder: string, given: string): string {
  const path = given.replace(HERE, ".");
  if (folder === "" || /^(?:[/~]|\uE000|[A-Za-z]:\\|[\w+.-]+:\/\/)/.test(path)) return path;
  return `${withoutTrailing(folder, "/")}/${path.replace(/^(?:\.\/)+/, "")}`;
}

/** The path without `.`, doubled slashes and the `..` that can be resolved by reading. */
export function tidyPath(path: string): string {
  const absolute = path.startsWith("/");
  const out: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    const last = out.at(-1);
    if (segment === ".." && last !== undefined && last !== ".." && !/^[~$]|[*?]/.test(last)) out.pop();
    else if (segment !== ".." || !absolute || out.length > 0) out.push(segment);
  }
  const joined = out.join("/");
  if (absolute) return `/${joined}`;
  return joined === "" ? "." : joined;
}

/** True for a path that covers a whole tree: the root, a home, the current folder, or everything in it. */
export function isWholeTree(path: string): boolean {
  const text = tidyPath(shown(path));
  return /^(?:\/|~|\.|\.\.(?:\/\.\.)*|~[\w-]*|\/(?:home|Users|root)(?:\/[^/]+)?)?(?:\/?(?:\*|\.\*|\*\*|\.\[!?.\]\*))?$/.test(
    text,
  );
}

/** True for a path outside of where the line started: absolute, in a home, or above. */
export function isOutside(path: string): boolean {
  const text = tidyPath(shown(path));
  return /^(?:[/~]|\.\.(?:\/|$)|[A-Za-z]:[\\/])/.test(text);
}
