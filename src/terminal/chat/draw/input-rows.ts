import type { TypedLine } from "../../input/line.ts";
import { columns } from "../../layout.ts";

const [MARK, UNMARK] = ["\u001b[7m", "\u001b[27m"];

/** Typed text in rows of this width, with its cursor; of many, those around the cursor. */
export function inputRows({ text, at }: TypedLine, width: number, most: number): readonly string[] {
  const rows: string[] = [""];
  let used = 0;
  let cursorRow = 0;
  const put = (shown: string, wide: number): void => {
    if (used + wide > width) {
      rows.push("");
      used = 0;
    }
    rows[rows.length - 1] += shown;
    used += wide;
  };
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    const isCursor = index === at;
    if (segment === "\n") {
      if (isCursor) put(`${MARK} ${UNMARK}`, 1);
      if (isCursor) cursorRow = rows.length - 1;
      rows.push("");
      used = 0;
      continue;
    }
    put(isCursor ? `${MARK}${segment}${UNMARK}` : segment, columns(segment));
    if (isCursor) cursorRow = rows.length - 1;
  }
  if (at >= text.length) {
    put(`${MARK} ${UNMARK}`, 1);
    cursorRow = rows.length - 1;
  }
  const first = Math.max(0, Math.min(cursorRow - most + 1, rows.length - most));
  return rows.slice(first, first + most);
}
