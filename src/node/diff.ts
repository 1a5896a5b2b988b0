import { type StructuredPatchHunk, structuredPatch } from "diff";

const CONTEXT = 3;
/** Texts that take longer to compare are shown as replaced as a whole. */
const TIMEOUT_MILLISECONDS = 2000;

/** A line of a diff: removed, added, unchanged context, or `…` for unchanged lines that are not shown. */
export interface DiffLine {
  readonly mark: "-" | "+" | " " | "…";
  readonly text: string;
}

/** A unified diff; empty when the texts are equal. */
export function unifiedDiff(
  before: string,
  after: string,
  names: readonly [string, string],
): readonly string[] {
  const hunks = hunksOf(before === "" ? "" : endLine(before), after === "" ? "" : endLine(after));
  if (hunks.length === 0) return [];
  return [
    `--- ${names[0]}`,
    `+++ ${names[1]}`,
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ]),
  ];
}

/** The lines that differ, with context. Says how many unchanged lines are not shown. Empty when the texts are equal. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const hunks = hunksOf(`${before}\n`, `${after}\n`);
  const shown: DiffLine[] = [];
  let next = 1;
  const skipTo = (line: number): void => {
    const skipped = line - next;
    if (skipped > 0)
      shown.push({ mark: "…", text: `${skipped} ${skipped === 1 ? "line" : "lines"} as before` });
  };
  for (const { oldStart, oldLines, lines } of hunks) {
    skipTo(oldStart);
    for (const line of lines) shown.push({ mark: markOf(line), text: line.slice(1) });
    next = oldStart + oldLines;
  }
  if (hunks.length > 0) skipTo(before.split("\n").length + 1);
  return shown;
}

function hunksOf(before: string, after: string): readonly StructuredPatchHunk[] {
  const options = { context: CONTEXT, timeout: TIMEOUT_MILLISECONDS };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  if (patch !== undefined) return patch.hunks;
  const [removed, added] = [before, after].map((text) => text.split("\n").slice(0, -1));
  return [
    {
      oldStart: 1,
      oldLines: removed?.length ?? 0,
      newStart: 1,
      newLines: added?.length ?? 0,
      lines: [...(removed ?? []).map((line) => `-${line}`), ...(added ?? []).map((line) => `+${line}`)],
    },
  ];
}

function endLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

function markOf(line: string): DiffLine["mark"] {
  return line.startsWith("-") ? "-" : line.startsWith("+") ? "+" : " ";
}
