const PAIR = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** The number of characters of a string; an emoji counts once. */
export function characterCount(text: string): number {
  return text.length - (text.match(PAIR)?.length ?? 0);
}

/** The first characters of a string, never half of one. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join("");
}

/** The last characters of a string, never half of one. */
export function lastCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  if (count === 0) return "";
  return Array.from(text.slice(-2 * count))
    .slice(-count)
    .join("");
}

/** Caps a string at `count` characters; a capped one ends in `…`. */
export function capText(text: string, count: number): string {
  if (text.length <= count || characterCount(text) <= count) return text;
  return `${firstCharacters(text, Math.max(0, count - 1))}…`;
}

/** The beginning of a longer text, and how much of it is missing. */
export function beginningOf(text: string, count: number): string {
  if (text.length <= count) return text;
  const start = firstCharacters(text, count);
  const missing = characterCount(text) - characterCount(start);
  return missing === 0 ? text : `${start}\n[… ${missing} more characters left out …]`;
}

/**
 * Folds case for comparisons. Character by character, unlike `toLowerCase`, which writes the same letter differently at
 * the end of a word; and without changing the number of characters.
 */
export function foldCase(text: string): string {
  return isAscii(text) ? text.toLowerCase() : Array.from(text, foldCharacter).join("");
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

function foldCharacter(character: string): string {
  const upper = character.toUpperCase();
  const lower = (upper.length === character.length ? upper : character).toLowerCase();
  return lower.length === character.length ? lower : character;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** May be inside a word without being seen; languages and emoji need them. */
const JOINER = "[\\u00ad\\u200c\\u200d]*";
/** The tags that agents put around what their system says to the model. */
const SYSTEM_TAGS = ["system-reminder", "user-prompt-submit-hook"].map((tag) => [...tag].join(JOINER));
const OPENS_TAG = new RegExp(`<(?=\\s*/?\\s*${JOINER}(?:${SYSTEM_TAGS.join("|")}))`, "gi");

/** Control characters, characters that reverse the direction of writing, and characters that no reader sees. */
const HIDDEN = /(?![\t\n\r\u00ad\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** The name of the first tag in a text that would make it pass for words of the system. */
export function systemTag(text: string): string | undefined {
  const at = text.search(OPENS_TAG);
  return at === -1 ? undefined : /[a-z][a-z-]*/i.exec(text.slice(at))?.[0];
}

/** A text for a model without control characters, and without tags that would make it pass for words of the system. */
export function neutralText(text: string): string {
  return text.replaceAll(HIDDEN, "\ufffd").replaceAll(OPENS_TAG, "&lt;");
}
