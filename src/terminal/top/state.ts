import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import { EMPTY_LINE, type TypedLine } from "../input/line.ts";
import type { Answered, Look, SeenAgent, TimelineEntry } from "./port.ts";
import { type Filter, filtered, sorted } from "./rows.ts";

/** What keys mean at the moment. */
export type Mode =
  | { readonly type: "keys" }
  | { readonly type: "help" }
  | { readonly type: "filter"; readonly line: TypedLine; readonly before: string }
  | AnswerMode;

export interface AnswerMode {
  readonly type: "answer";
  readonly request: HumanRequest;
  /** The answers to the questions before this one. */
  readonly given: readonly string[];
  /** True when the choice is made and its words are missing. */
  readonly wantsMessage: boolean;
  readonly line: TypedLine;
}

/** The page of one agent. */
export interface OpenedAgent {
  readonly agent_id: string;
  /** `undefined` while it is read. */
  readonly entries?: readonly TimelineEntry[];
  /** How many entries are below the window. */
  readonly below: number;
}

export interface TopState {
  /** `undefined` before the first look. */
  readonly agents?: readonly SeenAgent[];
  readonly warnings: readonly string[];
  /** Why the last look failed. */
  readonly problem?: string | undefined;
  readonly filter: Filter;
  /** The agent that was chosen; without one, the first. */
  readonly selected?: string | undefined;
  /** The first row of the window. */
  readonly first: number;
  readonly mode: Mode;
  readonly opened?: OpenedAgent | undefined;
  /** A sentence about the last key. */
  readonly notice?: string | undefined;
  /** The request on the screen, and since when: nobody can have read one that has just come. */
  readonly asking?: { readonly id: string; readonly since: number } | undefined;
}

/** Something to do outside of the screen. */
export type Effect =
  | { readonly type: "quit" }
  /** Ctrl-C, which no signal tells of while the terminal sends keys as they are. */
  | { readonly type: "interrupt" }
  | { readonly type: "open"; readonly seen: SeenAgent }
  | {
      readonly type: "answer";
      readonly request: HumanRequest;
      readonly given: readonly string[];
      readonly message?: string;
    };

export interface Next {
  readonly state: TopState;
  readonly effect?: Effect;
}

export const FIRST_STATE: TopState = {
  warnings: [],
  filter: { text: "" },
  first: 0,
  mode: { type: "keys" },
};

export function shownAgents({ agents = [], filter }: TopState): readonly SeenAgent[] {
  return filtered(agents, filter);
}

/** The agent that keys are about: the opened one, the chosen one, or the first. */
export function currentAgent(state: TopState): SeenAgent | undefined {
  const { opened, selected, agents = [] } = state;
  if (opened !== undefined) return agents.find(({ agent }) => agent.agent_id === opened.agent_id);
  const shown = shownAgents(state);
  return shown.find(({ agent }) => agent.agent_id === selected) ?? shown[0];
}

/** Notes since when the request on the screen is there. Every change of the state passes here. */
export function settled(state: TopState, now: number): TopState {
  const id = currentAgent(state)?.asks?.request.id;
  if (id === state.asking?.id) return state;
  return { ...state, asking: id === undefined ? undefined : { id, since: now } };
}

export function looked(state: TopState, { agents, warnings }: Look, now: number): TopState {
  return settled({ ...state, agents: sorted(agents), warnings, problem: undefined }, now);
}

/** What is known stays on the screen. */
export function lookFailed(state: TopState, problem: string): TopState {
  return { ...state, problem };
}

export function timelineRead(state: TopState, agent_id: string, entries: readonly TimelineEntry[]): TopState {
  const { opened } = state;
  if (opened?.agent_id !== agent_id) return state;
  // What is new must not move what is being read.
  const added = Math.max(0, entries.length - (opened.entries?.length ?? entries.length));
  return { ...state, opened: { ...opened, entries, below: opened.below === 0 ? 0 : opened.below + added } };
}

export function answered(state: TopState, effect: Effect & { type: "answer" }, result: Answered): TopState {
  if ("done" in result) return { ...state, notice: result.done };
  if ("problem" in result) return { ...state, notice: result.problem };
  const { request, given } = effect;
  const mode: Mode = { type: "answer", request, given, wantsMessage: true, line: EMPTY_LINE };
  return { ...state, notice: undefined, mode };
}
