import { readQuestion } from "../../core/contracts/questions.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import { EMPTY_LINE } from "../input/line.ts";
import { KIND_NAMES, KINDS } from "./rows.ts";
import { currentAgent, type Next, type TopState } from "./state.ts";

/** Shorter than this, nobody has read what is asked. */
const READ_MILLISECONDS = 300;

/** A key of the list and of an agent's page. */
export interface KeyRow {
  /** As it is shown: `enter`, `w`. */
  readonly key: string;
  readonly label: string;
  /** A sentence for the help. */
  readonly help: string;
  /** Why it does nothing now. */
  readonly disabled?: (state: TopState) => string | undefined;
  readonly press: (state: TopState, now: number) => Next;
  /** Shown in the bottom line: always, or in the help only. */
  readonly rare?: true;
}

/** The options that digits choose. */
export function optionsOf({ options, questions = [] }: HumanRequest) {
  return questions.length > 0 ? readQuestion(questions[0]).options : options;
}

/** Why the current agent can't be answered. */
export function notAnswerable(state: TopState): string | undefined {
  const current = currentAgent(state);
  if (current === undefined) return "There is no agent to answer.";
  if (current.asks === undefined) return `${current.name} asks nothing.`;
  return current.asks.elsewhere;
}

/** Answers with one of the options; for a request with several questions, begins with the first. */
export function chooseOption(state: TopState, digit: number, now: number): Next {
  const problem = notAnswerable(state);
  const request = currentAgent(state)?.asks?.request;
  if (problem !== undefined || request === undefined) return { state: { ...state, notice: problem } };
  const options = optionsOf(request);
  if (digit > options.length)
    return {
      state: {
        ...state,
        notice:
          options.length === 0
            ? "It has no options: a answers in words."
            : `It has ${options.length} option${options.length === 1 ? "" : "s"}.`,
      },
    };
  if (now - (state.asking?.since ?? now) < READ_MILLISECONDS)
    return { state: { ...state, notice: "The question has just changed: read it, then press again." } };
  return giveAnswer(state, request, [], String(digit));
}

/** One more answer: sends all of them when none is missing. */
export function giveAnswer(
  state: TopState,
  request: HumanRequest,
  before: readonly string[],
  words: string,
): Next {
  const given = [...before, words];
  const wanted = Math.max(1, request.questions?.length ?? 0);
  if (given.length < wanted)
    return {
      state: { ...state, mode: { type: "answer", request, given, wantsMessage: false, line: EMPTY_LINE } },
    };
  return {
    state: { ...state, mode: { type: "keys" }, notice: "Sending the answer." },
    effect: { type: "answer", request, given },
  };
}

function beginAnswer(state: TopState): Next {
  const request = currentAgent(state)?.asks?.request;
  if (request === undefined) return { state };
  return {
    state: { ...state, mode: { type: "answer", request, given: [], wantsMessage: false, line: EMPTY_LINE } },
  };
}

export const LIST_KEYS: readonly KeyRow[] = [
  {
    key: "a",
    label: "answer",
    help: "answer what it asks: a number, a label, or words",
    disabled: notAnswerable,
    press: beginAnswer,
  },
  {
    key: "enter",
    label: "open",
    help: "open the agent: its calls, what hooks said, its tokens",
    disabled: (state) => (currentAgent(state) === undefined ? "There is no agent to open." : undefined),
    press: (state) => {
      const seen = currentAgent(state);
      if (seen === undefined || state.opened !== undefined) return { state };
      return {
        state: { ...state, opened: { agent_id: seen.agent.agent_id, below: 0 } },
        effect: { type: "open", seen },
      };
    },
  },
  {
    key: "/",
    label: "filter",
    help: "show only agents with these words in them",
    press: (state) => ({
      state: {
        ...state,
        mode: {
          type: "filter",
          line: { text: state.filter.text, at: state.filter.text.length },
          before: state.filter.text,
        },
      },
    }),
  },
  ...KIND_NAMES.map((kind): KeyRow => {
    const { key, only } = KINDS[kind];
    return {
      key,
      label: only,
      help: `show ${only} agents; again: all`,
      ...(kind === "waits" ? {} : { rare: true as const }),
      press: (state) => ({
        state: {
          ...state,
          selected: undefined,
          filter: { ...state.filter, kind: state.filter.kind === kind ? undefined : kind },
        },
      }),
    };
  }),
  {
    key: "x",
    label: "dismiss",
    help: "take what it asks off this list; its terminal goes on asking",
    rare: true,
    disabled: (state) => {
      const { asks, name = "" } = currentAgent(state) ?? {};
      if (asks === undefined) return notAnswerable(state);
      return asks.elsewhere === undefined ? `${name} waits for your answer: a answers.` : undefined;
    },
    press: (state) => {
      const request = currentAgent(state)?.asks?.request;
      return request === undefined
        ? { state }
        : { state, effect: { type: "answer", request, given: ["dismiss"] } };
    },
  },
  {
    key: "?",
    label: "help",
    help: "this help",
    press: (state) => ({ state: { ...state, mode: { type: "help" } } }),
  },
  {
    key: "q",
    label: "quit",
    help: "leave; agents go on",
    press: (state) => ({ state, effect: { type: "quit" } }),
  },
];

/** Does what a key does, or says why not. */
export function pressRow(state: TopState, key: string, now: number): Next {
  const row = LIST_KEYS.find((one) => one.key === key);
  const why = row?.disabled?.(state);
  if (row === undefined || why !== undefined) return { state: { ...state, notice: why } };
  return row.press(state, now);
}
