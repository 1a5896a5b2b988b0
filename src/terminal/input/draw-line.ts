import { columns } from "../layout.ts";
import type { TypedLine } from "./line.ts";

const [MARK, UNMARK] = ["\u001b[7m", "\u001b[27m"];

/** A typed line with its cursor, moved to the left as far as it needs to fit. */
export function drawLine({ text, at }: TypedLine, width: number): string {
  const characters = [...new Intl.Segmenter().segment(text.replaceAll("\n", "↵"))];
  const cursor = characters.findIndex(({ index }) => index >= at);
  const end = cursor < 0 ? characters.length : cursor;
  let first = 0;
  const before = (): string =>
    characters
      .slice(first, end)
      .map(({ segment }) => segment)
      .join("");
  while (first < end && columns(before()) >= width - 1) first += 1;
  const under = characters[end]?.segment ?? " ";
  let after = "";
  for (const { segment } of characters.slice(end + 1)) {
    if (columns(before()) + columns(under) + columns(after) + columns(segment) > width) break;
    after += segment;
  }
  return `${before()}${MARK}${under}${UNMARK}${after}`;
}
