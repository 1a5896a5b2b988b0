import { type Key, stepsOf } from "../input/key.ts";
import { editLine } from "../input/line.ts";
import { chooseOption, giveAnswer, pressRow } from "./list-keys.ts";
import {
  type AnswerMode,
  currentAgent,
  type Mode,
  type Next,
  settled,
  shownAgents,
  type TopState,
} from "./state.ts";
import type { Window } from "./window.ts";

/** Where things are on the screen, for the mouse and for keys that move by pages. */
export interface Drawn {
  readonly list: Window;
  /** The screen's line of the first row. */
  readonly listTop: number;
  /** How many entries of an agent's page there is room for. */
  readonly pageRoom: number;
}

/** What a key does. The notice of the last key goes. */
export function pressed(state: TopState, key: Key, drawn: Drawn, now: number): Next {
  const quiet: TopState = { ...state, notice: undefined };
  if (key.ctrl === true && key.text === "c") return { state: quiet, effect: { type: "interrupt" } };
  const next = inMode(quiet, key, drawn, now);
  return { ...next, state: settled(next.state, now) };
}

function inMode(state: TopState, key: Key, drawn: Drawn, now: number): Next {
  const { mode } = state;
  switch (mode.type) {
    case "keys":
      return state.opened === undefined ? inList(state, key, drawn, now) : inPage(state, key, drawn, now);
    case "help":
      return { state: { ...state, mode: { type: "keys" } } };
    case "filter":
      return inFilter(state, mode, key);
    case "answer":
      return inAnswer(state, mode, key);
    default:
      return mode satisfies never;
  }
}

function inList(state: TopState, key: Key, { list, listTop }: Drawn, now: number): Next {
  const page = Math.max(1, list.rows.length - 1);
  const { mouse } = key;
  if (mouse?.type === "press") {
    const clicked = list.rows[mouse.row - listTop];
    if (clicked === undefined) return { state };
    const isAgain = currentAgent(state) === clicked && state.selected === clicked.agent.agent_id;
    return isAgain
      ? pressRow(state, "enter", now)
      : { state: { ...state, first: list.first, selected: clicked.agent.agent_id } };
  }
  const steps = stepsOf(key, page);
  if (steps !== undefined) return { state: moved({ ...state, first: list.first }, steps) };
  if (key.name === "escape") return { state: { ...state, filter: { text: "" } } };
  return pressShared(state, key, now);
}

function inPage(state: TopState, key: Key, { pageRoom }: Drawn, now: number): Next {
  const { opened } = state;
  if (opened === undefined) return { state };
  const steps = stepsOf(key, Math.max(1, pageRoom - 1));
  if (steps !== undefined) {
    const most = Math.max(0, (opened.entries?.length ?? 0) - pageRoom);
    const below = Math.max(0, Math.min(most, opened.below - steps));
    return { state: { ...state, opened: { ...opened, below } } };
  }
  if (key.name === "escape" || key.name === "left" || key.text === "q" || key.name === "backspace")
    return { state: { ...state, opened: undefined, selected: opened.agent_id } };
  return pressShared(state, key, now);
}

function pressShared(state: TopState, key: Key, now: number): Next {
  if (key.ctrl === true || key.meta === true) return { state };
  if (/^[1-9]$/.test(key.text)) return chooseOption(state, Number(key.text), now);
  return pressRow(state, key.name === "return" ? "enter" : key.text, now);
}

function moved(state: TopState, steps: number): TopState {
  const shown = shownAgents(state);
  const current = currentAgent(state);
  const at = current === undefined ? 0 : shown.indexOf(current);
  const to = Math.max(0, Math.min(shown.length - 1, at + steps));
  return { ...state, selected: shown[to]?.agent.agent_id };
}

/** The list follows what is typed. */
function inFilter(state: TopState, mode: Mode & { type: "filter" }, key: Key): Next {
  const withText = (text: string, next: Mode): Next => ({
    state: { ...state, selected: undefined, filter: { ...state.filter, text }, mode: next },
  });
  if (key.name === "escape") return withText(mode.before, { type: "keys" });
  if (key.name === "return") return withText(mode.line.text, { type: "keys" });
  const line = editLine(mode.line, key);
  return line === undefined ? { state } : withText(line.text, { ...mode, line });
}

function inAnswer(state: TopState, mode: AnswerMode, key: Key): Next {
  const back: TopState = { ...state, mode: { type: "keys" } };
  if (key.name === "escape") return { state: back };
  if (key.name !== "return") {
    const line = editLine(mode.line, key);
    return line === undefined ? { state } : { state: { ...state, mode: { ...mode, line } } };
  }
  const { request, given, wantsMessage } = mode;
  const words = mode.line.text.trim();
  if (words === "") return { state: { ...state, notice: "Type an answer, or esc to leave it for later." } };
  if (!wantsMessage) return giveAnswer(state, request, given, words);
  return { state: back, effect: { type: "answer", request, given, message: words } };
}
