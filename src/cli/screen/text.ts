import { homedir } from "node:os";
import { isAbsolute, relative, sep } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** How many columns a text takes; marks for colours take none. */
export function columns(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

/** The text with spaces to so many columns. */
export function padded(text: string, width: number, right = false): string {
  const spaces = " ".repeat(Math.max(0, width - columns(text)));
  return right ? `${spaces}${text}` : `${text}${spaces}`;
}

/** A text of at most so many columns; of a longer one the beginning. */
export function cut(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, Math.max(1, width - 1)).join("")}…`;
}

/** Lines of at most so many columns, broken between words; words that are longer stay whole. */
export function wrapped(text: string, width: number, indent = ""): string {
  return text
    .split("\n")
    .map((line) => {
      const lines: string[] = [];
      let current = "";
      for (const word of line.split(" ")) {
        if (current !== "" && columns(`${indent}${current} ${word}`) > width) {
          lines.push(current);
          current = word;
        } else {
          current = current === "" ? word : `${current} ${word}`;
        }
      }
      return [...lines, current].map((part) => `${indent}${part}`).join("\n");
    })
    .join("\n");
}

/** Text of others without what could move the cursor or change colours: shown, never obeyed. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n\t]/gu, "�");
}

/** A path as people write it: from the working folder, or from the home. */
export function shortPath(path: string, cwd: string, home = homedir()): string {
  const from = relative(cwd, path);
  if (from !== "" && !from.startsWith("..") && !isAbsolute(from)) return from;
  return path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path;
}

/** `1 hook`, `2 hooks`. */
export function counted(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`;
}

/** Milliseconds with as many digits as help. */
export function milliseconds(value: number): string {
  return value >= 100 ? `${Math.round(value)} ms` : `${value.toFixed(value >= 10 ? 0 : 1)} ms`;
}
