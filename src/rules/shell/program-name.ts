import { isKnown, knownTail } from "./marked.ts";

/**
 * The program a first word names, without folder, `.exe` or the backslash that passes over aliases; `undefined`
 * when it can't be known. `$(npm bin)/eslint` is `eslint`: only the folder is unknown.
 */
export function programName(word: string): string | undefined {
  const tail = knownTail(word);
  if (!isKnown(word) && !tail.includes("/")) return undefined;
  const name = tail.slice(tail.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
  if (name === "" || (name !== "[" && name !== "[[" && /[*?[\]]/.test(word))) return undefined;
  return name;
}
