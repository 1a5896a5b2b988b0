import { isAbsolute, relative } from "node:path";
import { pathFromHome } from "../node/user-folders.ts";

/** A path relative to the working folder or the home folder. */
export function shortPath(path: string, cwd: string): string {
  const from = relative(cwd, path);
  if (from !== "" && !from.startsWith("..") && !isAbsolute(from)) return from;
  return pathFromHome(path);
}

/** `1 hook`, `2 hooks`. */
export function counted(number: number, one: string): string {
  return `${number} ${number === 1 ? one : `${one}s`}`;
}

/** `48k`. */
export function tokensText(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
}
