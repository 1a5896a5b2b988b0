import { isJsonText } from "../../core/base/json.ts";
import { endOfText } from "../../shared/json-keys.ts";

export interface JsonInText {
  readonly objects: readonly string[];
  /** The text around the objects. */
  readonly rest: string;
}

/** How often the whole text may be scanned; the rest counts as text. */
const MOST_LOOKS = 8;

/** Finds the outermost JSON objects in text, in linear time. */
export function jsonInText(text: string): JsonInText {
  const objects: string[] = [];
  let rest = "";
  let from = 0;
  let left = text.length * MOST_LOOKS;
  for (let at = text.indexOf("{"); at !== -1 && left > 0; ) {
    const end = endOfObject(text, at);
    left -= (end === -1 ? text.length : end) - at;
    const object = text.slice(at, Math.max(at, end));
    if (isJsonText(object)) {
      objects.push(object);
      rest += text.slice(from, at);
      from = end;
      at = text.indexOf("{", end);
    } else at = text.indexOf("{", at + 1);
  }
  return { objects, rest: rest + text.slice(from) };
}

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
