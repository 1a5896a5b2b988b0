import { endOfText } from "../../shared/json-keys.ts";

/** True when a JSON object begins in text and does not end: its output was cut off. Takes linear time. */
export function hasCutJson(text: string): boolean {
  BEGINNING.lastIndex = 0;
  for (let found = BEGINNING.exec(text); found !== null; found = BEGINNING.exec(text)) {
    const end = endOfObject(text, found.index);
    if (end === -1) return true;
    BEGINNING.lastIndex = end;
  }
  return false;
}

/** Quotes around a brace are prose about it. */
const BEGINNING = /(?<!["'`])\{\s*(?:"|$)/g;

function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
