/**
 * Characters that could move the cursor, change colours or the direction of writing, end a line, or can't be seen. The
 * invisible joiners of emoji and of some scripts stay.
 */
const ACTING =
  /[^\P{Cc}\n\t]|\u034f|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

const MARK = "\ufffd";

/** Makes foreign text safe to show. Removes nothing: what can't be shown is replaced by a mark. */
export function harmless(text: string): string {
  return text.replaceAll(ACTING, MARK);
}

/** Makes a foreign name safe to show on one line. */
export function harmlessName(name: string): string {
  return harmless(name).replaceAll(/[\n\t]/g, MARK);
}

/** Makes foreign text safe to show on one line: what separates its words becomes one space. */
export function harmlessLine(text: string): string {
  return harmless(text.trim().replaceAll(/\s+/g, " "));
}

/** Foreign text with a mark before each line, so that no line of it is taken for one of ours. */
export function quoted(text: string): string {
  if (text === "") return "";
  const lines = harmless(text.replaceAll("\r\n", "\n")).split("\n");
  return lines.map((line) => `│ ${line}`.trimEnd()).join("\n");
}
