import { diffLines } from "diff";
import { harmless } from "../../../shared/harmless.ts";
import { columns, cut, padded } from "../../layout.ts";
import type { Paint } from "../../paint.ts";
import type { Input } from "../cell.ts";

/** What a change adds and removes. */
export interface Difference {
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly { readonly mark: "+" | "-" | " "; readonly text: string }[];
}

/** The difference that a call of Edit or Write makes; `undefined` for other calls. */
export function differenceOf(tool: string, input: Input): Difference | undefined {
  const { old_string: before, new_string: after, content } = input;
  if (tool === "Write" && typeof content === "string") return between("", content);
  if (tool !== "Edit" || typeof before !== "string" || typeof after !== "string") return undefined;
  return between(before, after);
}

function between(before: string, after: string): Difference {
  const lines = diffLines(ended(before), ended(after)).flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((text) => ({ mark: added ? "+" : removed ? "-" : " ", text }) as const),
  );
  const count = (mark: string): number => lines.filter((line) => line.mark === mark).length;
  return { added: count("+"), removed: count("-"), lines };
}

/** Without an end of line, the same last line would differ. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

export function differenceLines(
  difference: Difference,
  { width, most, line: first }: { readonly width: number; readonly most: number; readonly line?: number },
  paint: Paint,
): readonly string[] {
  const { lines } = difference;
  const numbers = first === undefined ? [] : numbersOf(difference, first);
  const wide = Math.max(-1, ...numbers.map(columns));
  const shown = lines.slice(0, most).map(({ mark, text }, at) => {
    const number = first === undefined ? "" : `${padded(numbers[at] ?? "", wide, true)} `;
    const line = `${number}${mark} ${cut(harmless(text).replaceAll("\t", "    "), width - 5 - wide)}`;
    return `  ${mark === "+" ? paint.green(line) : mark === "-" ? paint.red(line) : paint.dim(line)}`;
  });
  const hidden = lines.length - shown.length;
  return hidden > 0 ? [...shown, paint.dim(`  … ${hidden} more lines`)] : shown;
}

/** The numbers of the lines: of what goes in the old text, of the rest in the new one. */
function numbersOf({ lines }: Difference, first: number): readonly string[] {
  let [before, after] = [first, first];
  return lines.map(({ mark }) => {
    const number = mark === "-" ? before : after;
    if (mark !== "+") before += 1;
    if (mark !== "-") after += 1;
    return String(number);
  });
}
