import { harmless, harmlessLine } from "../../../shared/harmless.ts";
import { durationText } from "../../age.ts";
import { columns, cut, fitted, wrapped } from "../../layout.ts";
import { counted } from "../../words.ts";
import { callText } from "../call-line.ts";
import type { CallNote, ToolCell } from "../cell.ts";
import { shownOutput } from "../output.ts";
import { differenceLines, differenceOf } from "./difference.ts";
import { type DrawOptions, gapOf, unfolding } from "./options.ts";

/** Lines of output while a program runs, and afterwards. */
const LIVE_LINES = 6;
const DONE_LINES = 8;
const DIFFERENCE_LINES = 24;
/** Lines of a subagent's answer. */
const ANSWER_LINES = 4;
/** Calls of a subagent that are shown. */
const MOST_INSIDE = 5;
const MOST_LINES_INSIDE = 2;
/** Tools whose result is only counted. */
const COUNTED: readonly string[] = ["Read"];

/** A call: what it is, what hooks did with it, what it printed, how it ended. */
export function toolLines(cell: ToolCell, options: DrawOptions): readonly string[] {
  const { paint, width } = options;
  const { name, input, end, rewritten, notes } = cell;
  const before = rewritten && callText(name, rewritten.before, options.folder);
  const note = (text: string): readonly string[] =>
    wrapped(harmless(text), width - 4)
      .split("\n")
      .map((line) => `  ${line}`);
  return [
    titleLine(cell, options),
    ...(before === undefined || before === callText(name, input, options.folder)
      ? []
      : [paint.dim(`  was: ${cut(harmlessLine(before), width - 8)}`)]),
    ...notes.flatMap(({ tone, text, reason }) => {
      const colour = { refusal: paint.red, change: paint.yellow, info: paint.dim }[tone];
      return note(reason === undefined ? text : `${text}: ${reason}`).map(colour);
    }),
    ...differencePart(cell, options),
    ...insideLines(cell, options),
    ...outputLines(cell, options),
    ...(end === undefined || end.state === "ok" ? [] : endLines(cell, options)),
  ].filter((line) => line !== "" || input === undefined);
}

function titleLine(cell: ToolCell, options: DrawOptions): string {
  const { name, input, rewritten } = cell;
  const { paint, width, folder } = options;
  const difference = differenceOf(name, input);
  const right = [
    rewritten === undefined ? "" : `by ${rewritten.by}`,
    difference === undefined ? "" : `+${difference.added} −${difference.removed}`,
    progressText(cell, options.now),
  ]
    .filter(Boolean)
    .join("  ");
  const mark = markOf(cell, paint);
  const room = width - 4 - columns(name) - columns(right) - 2;
  const [first = "", ...more] = callText(name, input, folder).split("\n");
  const about = cut(first, Math.max(8, room - (more.length > 0 ? 2 : 0)));
  const shown = `${about}${more.length > 0 ? " …" : ""}`;
  const gap = right === "" ? "" : gapOf(width - 2 - columns(name) - 2 - columns(shown) - columns(right));
  return `${mark} ${paint.bold(harmlessLine(name))}  ${shown}${gap}${paint.dim(right)}`.trimEnd();
}

/** How long it runs or ran, where that is worth a word, or that it waits for a human. */
function progressText(cell: ToolCell, now: number): string {
  const { end, started } = cell;
  if (isStopped(cell) || end !== undefined)
    return end !== undefined && end.duration_ms >= 1000 ? durationText(end.duration_ms) : "";
  return waitsForHuman(cell) ? "waits for you" : `running ${durationText(now - started)}`;
}

function markOf(cell: ToolCell, paint: DrawOptions["paint"]): string {
  if (isStopped(cell)) return paint.red("✗");
  if (cell.rewritten !== undefined) return paint.yellow("↻");
  if (cell.end !== undefined) return "●";
  return waitsForHuman(cell) ? paint.yellow("●") : paint.blue("●");
}

/** True for a call that did not do what it was meant to do, also before its result says so. */
function isStopped(cell: ToolCell): boolean {
  const { end } = cell;
  return end === undefined ? isRefused(cell) : end.state !== "ok";
}

function isRefused({ notes }: ToolCell): boolean {
  return notes.some(({ tone }) => tone === "refusal");
}

function waitsForHuman({ waits, name }: ToolCell): boolean {
  return waits === true || name === "AskUserQuestion";
}

function differencePart(cell: ToolCell, options: DrawOptions): readonly string[] {
  const { name, input, end } = cell;
  const difference = differenceOf(name, input);
  if (difference === undefined || end?.state === "denied" || isRefused(cell)) return [];
  const most = options.whole ? Number.POSITIVE_INFINITY : DIFFERENCE_LINES;
  const [, line] = /^Replaced in .* at line (\d+)\.$/s.exec(end?.content ?? "") ?? [];
  const from = line === undefined ? {} : { line: Number(line) };
  return differenceLines(difference, { width: options.width, most, ...from }, options.paint);
}

function insideLines({ inside }: ToolCell, options: DrawOptions): readonly string[] {
  const shown = options.whole ? inside : inside.slice(-MOST_INSIDE);
  const hidden = inside.length - shown.length;
  const narrow = { ...options, width: options.width - 4 };
  return [
    ...(hidden > 0 ? [options.paint.dim(`    … ${counted(hidden, "earlier call")}`)] : []),
    ...shown.flatMap((cell) => {
      const lines = toolLines(cell, narrow);
      // A refusal is read whole.
      const isWhole = options.whole || isRefused(cell) || cell.end?.state === "denied";
      return (isWhole ? lines : lines.slice(0, MOST_LINES_INSIDE)).map((line) => `    ${line}`);
    }),
  ];
}

function outputLines(
  { name, output, end, inside, notes }: ToolCell,
  options: DrawOptions,
): readonly string[] {
  const { paint, whole } = options;
  if (end !== undefined && differenceTools.has(name) && end.state === "ok") return [];
  if (end?.state === "ok" && COUNTED.includes(name) && !whole)
    return output.count === 0 ? [] : [paint.dim(`  ${counted(output.count, "line")}`)];
  // What a hook has answered is said above.
  if (end?.state === "ok" && name === "AskUserQuestion" && notes.some(isChange) && !whole) return [];
  const most = end === undefined ? LIVE_LINES : inside.length > 0 ? ANSWER_LINES : DONE_LINES;
  // A subagent answers in prose.
  const prose = inside.length > 0;
  return foldedLines(output, { ...options, prose, most: whole ? Number.POSITIVE_INFINITY : most });
}

const isChange = ({ tone }: CallNote): boolean => tone === "change";

const differenceTools: ReadonlySet<string> = new Set(["Edit", "Write"]);

/** Lines of output with what is left out counted, and the key that shows it. */
export function foldedLines(
  output: ToolCell["output"],
  options: DrawOptions & { readonly most: number; readonly mark?: string; readonly prose?: boolean },
): readonly string[] {
  const { most, width, paint, mark = "", prose = false } = options;
  const { lines, hidden } = shownOutput(output, most);
  const drawn = lines.flatMap((line) => {
    if (prose) return wrapped(line, width - 4).split("\n");
    return most === Number.POSITIVE_INFINITY ? fitted(line, width - 4).split("\n") : [cut(line, width - 4)];
  });
  const at = Math.ceil(most / 2);
  const before = mark === "" ? "  " : `  ${mark} `;
  const gap = [paint.dim(`${before}… ${counted(hidden, "more line")}${unfolding(options)}`)];
  const painted = drawn.map((line) => paint.dim(`${before}${line}`.trimEnd()));
  return hidden === 0 ? painted : [...painted.slice(0, at), ...gap, ...painted.slice(at)];
}

function endLines(cell: ToolCell, { paint, width }: DrawOptions): readonly string[] {
  const { end, output } = cell;
  if (end === undefined || isRefused(cell)) return [];
  if (end.state === "interrupted") return [paint.yellow("  interrupted")];
  if (end.state === "not_run") return [paint.yellow("  not run")];
  if (end.state === "unknown")
    return wrapped(harmless(end.content), width - 4)
      .split("\n")
      .map((line) => paint.yellow(`  ${line}`));
  // A program's output is above; the last line says how it ended.
  if (end.state === "failed" && output.count > 0) {
    const last = harmlessLine(end.content.slice(end.content.trimEnd().lastIndexOf("\n") + 1));
    return last === "" || output.tail.at(-1) === last || output.head.at(-1) === last
      ? []
      : [paint.red(`  ${cut(last, width - 2)}`)];
  }
  return wrapped(harmless(end.content.trim()), width - 4)
    .split("\n")
    .map((line) => paint.red(`  ${line}`));
}
