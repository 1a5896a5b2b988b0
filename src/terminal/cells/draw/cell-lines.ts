import type { HookRun } from "../../../core/decide/decision.ts";
import { harmless, harmlessLine } from "../../../shared/harmless.ts";
import { durationText } from "../../age.ts";
import { columns, cut, hanging, wrapped } from "../../layout.ts";
import { counted } from "../../words.ts";
import type { Cell, HookCell } from "../cell.ts";
import { SLOW_MILLISECONDS } from "../reduce-hook.ts";
import type { CellState } from "../state.ts";
import { markdownLines } from "./markdown.ts";
import { type DrawOptions, gapOf, unfolding } from "./options.ts";
import { foldedLines, toolLines } from "./tool.ts";

const HOOK_LINES = 10;
const CONTEXT_LINES = 4;
const HOOK_INPUT = "HookInput: ";

/** The lines of a cell, none wider than the screen, with the margin that all of them have. */
export function cellLines(cell: Cell, options: DrawOptions): readonly string[] {
  if (!Number.isFinite(options.width)) return linesOf(cell, options);
  const width = Math.max(20, options.width - 4);
  return linesOf(cell, { ...options, width }).map((line) => (line === "" ? "" : `  ${line}`));
}

function linesOf(cell: Cell, options: DrawOptions): readonly string[] {
  const { paint, width } = options;
  switch (cell.type) {
    case "user":
      return wrapped(harmless(cell.text), width - 2)
        .split("\n")
        .map((line, at) => `${at === 0 ? paint.bold("› ") : "  "}${paint.bold(line)}`);
    case "text":
      return Number.isFinite(width)
        ? markdownLines(cell.text, width, paint)
        : harmless(cell.text.trim()).split("\n");
    case "tool":
      return toolLines(cell, options);
    case "hook":
      return hookLines(cell, options);
    case "hook_input":
      return hanging(paint.cyan(HOOK_INPUT), harmless(cell.text.trim()), width, HOOK_INPUT.length).split(
        "\n",
      );
    case "turn": {
      const label = `── turn ${cell.turn}, started by the hook ${harmlessLine(cell.hook)} `;
      const rest = Number.isFinite(width) ? Math.max(0, width - columns(label)) : 2;
      return [paint.cyan(`${cut(label, width)}${"─".repeat(rest)}`)];
    }
    case "context":
      return contextLines(cell, options);
    case "notice": {
      const colour = { info: paint.dim, warning: paint.yellow, error: paint.red }[cell.level];
      return wrapped(harmless(cell.text), width).split("\n").map(colour);
    }
    case "lines":
      return cell.lines;
    case "table": {
      const wide = Math.max(...cell.rows.map(([title]) => columns(title))) + 2;
      return cell.rows.flatMap(([title, text]) => hanging(title, text, width, wide).split("\n"));
    }
    default:
      return cell satisfies never;
  }
}

function contextLines({ hook, text }: Cell & { type: "context" }, options: DrawOptions): readonly string[] {
  const { paint, width, whole } = options;
  const lines = wrapped(harmless(`context from ${hook}: ${text.trim()}`), width).split("\n");
  const shown = whole === true ? lines : lines.slice(0, CONTEXT_LINES);
  const hidden = lines.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`… ${counted(hidden, "more line")}${unfolding(options)}`] : [])].map(
    paint.dim,
  );
}

/** `⚑ Hook(Stop) tests-pass   running 6 s`, with what it prints. */
function hookLines(cell: HookCell, options: DrawOptions): readonly string[] {
  const { paint, width, now, whole } = options;
  const { event, hook, command, output, started, run } = cell;
  const took = durationText(run === undefined ? now - started : run.duration_ms);
  const right = run === undefined ? `running ${took}` : run.duration_ms >= 1000 ? took : "";
  const title = `Hook(${event})`;
  const about = cut(
    harmlessLine(hook === "" ? (command ?? []).join(" ") : hook),
    Math.max(8, width - title.length - right.length - 7),
  );
  const gap = right === "" ? "" : gapOf(width - 3 - title.length - columns(about) - right.length);
  const most = whole === true ? Number.POSITIVE_INFINITY : HOOK_LINES;
  return [
    `${paint.cyan("⚑")} ${paint.bold(title)} ${about}${gap}${paint.dim(right)}`.trimEnd(),
    ...foldedLines(output, { ...options, most, mark: "│" }),
    ...(run === undefined ? [] : verdictLines(run, width, paint)),
  ];
}

/** What a hook said, or how it failed. */
function verdictLines(run: HookRun, width: number, paint: DrawOptions["paint"]): readonly string[] {
  const { failure, outcome, exit_code } = run;
  const line = (text: string, colour: (text: string) => string): readonly string[] =>
    wrapped(harmless(text), width - 4)
      .split("\n")
      .map((one) => colour(`  ${one}`));
  if (failure !== undefined) return line(`${failure.kind}: ${failure.message}`, paint.red);
  const { action, reason = "", keep_going } = outcome ?? {};
  const why = reason === "" ? "" : `: ${reason}`;
  if (action === "deny") return line(`denied${why}`, paint.red);
  if (action === "ask") return line(`asks a human${why}`, paint.yellow);
  // Its reason follows, as a message to the agent.
  if (keep_going !== undefined) return [];
  if (exit_code !== undefined && exit_code !== 0) return line(`exit code ${exit_code}`, paint.yellow);
  return outcome === undefined || action === "continue" ? [] : line(`${action ?? "ok"}${why}`, paint.dim);
}

/** True when an empty line goes between two cells. */
export function isApart(before: Cell | undefined, cell: Cell): boolean {
  if (before === undefined) return true;
  const isWork = (one: Cell): boolean => one.type === "tool" || one.type === "hook";
  if (isWork(before) && isWork(cell)) return false;
  return !(before.type === "turn" && cell.type === "hook_input");
}

/** What can still change: cells, the answer that is being streamed, and hooks that take long. */
export function liveLines(cells: CellState, options: DrawOptions): readonly string[] {
  const { live, text, hooks, done } = cells;
  const slow = hooks.filter(({ started }) => options.now - started > SLOW_MILLISECONDS);
  const streamed: readonly Cell[] = text.trim() === "" ? [] : [{ type: "text", text }];
  let before = done.at(-1);
  const lines: string[] = [];
  for (const cell of [...live, ...streamed, ...slow]) {
    if (isApart(before, cell)) lines.push("");
    lines.push(...cellLines(cell, options));
    before = cell;
  }
  return lines;
}
