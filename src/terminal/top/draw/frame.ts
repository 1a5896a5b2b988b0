import { harmlessLine } from "../../../shared/harmless.ts";
import { fitted, fittedLine, type Size } from "../../layout.ts";
import type { Paint } from "../../paint.ts";
import type { Drawn } from "../press.ts";
import { currentAgent, shownAgents, type TopState } from "../state.ts";
import { listWindow } from "../window.ts";
import { helpLines, inputLine, keysLine } from "./keys.ts";
import { emptyLines, headerLine, listLines } from "./list.ts";
import { pageHead, timelineLines } from "./page.ts";
import { panelLines } from "./panel.ts";

export interface Frame {
  /** As many as the screen has. */
  readonly lines: readonly string[];
  readonly drawn: Drawn;
}

/** The least of a list that is worth a screen. */
const LEAST_ROWS = 3;
/** What is asked may take so much of the screen. */
const PANEL_SHARE = 0.5;
/** The line for typing and the line of keys. */
const BOTTOM = 2;

/** Draws everything: a function of the state, the size and the time. */
export function drawFrame(state: TopState, { width, height }: Size, paint: Paint, now: number): Frame {
  const current = currentAgent(state);
  const most = Math.max(2, Math.floor(height * PANEL_SHARE));
  const asked =
    current === undefined || state.mode.type === "help"
      ? []
      : panelLines(current, state.mode, { width, most }, paint, now);
  const panel = height < LEAST_ROWS + BOTTOM + 4 || asked.length === 0 ? [] : ["", ...asked];
  const top = [...topLines(state, width, paint, now)];
  const room = Math.max(1, height - top.length - panel.length - BOTTOM);
  const list = listWindow(state, room);
  const middle = middleLines(state, { list, room, width }, paint, now).slice(0, room);
  const filler = Array.from({ length: Math.max(0, room - middle.length) }, () => "");
  const bottom = [inputLine(state, width, paint), keysLine(state, width, paint)];
  const lines = [...top, ...middle, ...panel, ...filler, ...bottom]
    .slice(-Math.max(1, height))
    .map((line) => fittedLine(line, width));
  return { lines, drawn: { list, listTop: top.length, pageRoom: room } };
}

function topLines(state: TopState, width: number, paint: Paint, now: number): readonly string[] {
  const current = currentAgent(state);
  const head =
    state.opened === undefined || current === undefined
      ? [headerLine(state, width, paint, now)]
      : pageHead(current, width, paint, now);
  const problems = [
    ...(state.problem === undefined
      ? []
      : [`${state.problem} Trying again every second; tenterhook daemon start starts the monitor.`]),
    ...state.warnings,
  ];
  const warnings = problems.flatMap((text) => fitted(`  ${harmlessLine(text)}`, width - 2).split("\n"));
  return [...head, ...warnings.map((line) => paint.red(line)), ""];
}

function middleLines(
  state: TopState,
  { list, room, width }: { readonly list: Drawn["list"]; readonly room: number; readonly width: number },
  paint: Paint,
  now: number,
): readonly string[] {
  if (state.mode.type === "help") return helpLines(width, paint);
  const { opened } = state;
  if (opened !== undefined)
    return currentAgent(state) === undefined
      ? ["  This agent is not listed any more."]
      : timelineLines(opened, room, width, paint);
  const empty = emptyLines(state, shownAgents(state));
  return empty.length > 0 ? empty : listLines(state, list, width, paint, now);
}
