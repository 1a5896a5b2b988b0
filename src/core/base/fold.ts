/**
 * A text as it compares when upper and lower case are the same letter. Character by character, unlike `toLowerCase`,
 * which writes the same letter differently at the end of a word; and without changing the number of characters.
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
