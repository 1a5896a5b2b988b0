import { didYouMean } from "../../core/base/suggest.ts";
import { giveAnswer, LIST_KEYS, notAnswerable } from "./list-keys.ts";
import { KIND_NAMES } from "./rows.ts";
import { currentAgent, type Next, shownAgents, type TopState } from "./state.ts";

/** A command after `:`. */
interface CommandRow {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  readonly run: (state: TopState, words: string, now: number) => Next;
}

/** Does what a key does, or says why not. */
export function pressRow(state: TopState, key: string, now: number): Next {
  const row = LIST_KEYS.find((one) => one.key === key);
  const why = row?.disabled?.(state);
  if (row === undefined || why !== undefined) return { state: { ...state, notice: why } };
  return row.press(state, now);
}

export const COMMANDS: readonly CommandRow[] = [
  {
    name: "open",
    usage: ":open NAME",
    help: "open the agent whose name begins like this",
    run: (state, words, now) => {
      if (words === "") return pressRow(state, "enter", now);
      const found = (state.agents ?? []).find(
        ({ name, agent }) => name.startsWith(words) || agent.agent_id.startsWith(words),
      );
      if (found === undefined)
        return { state: { ...state, notice: `There is no agent ${JSON.stringify(words)}.` } };
      const { agent_id } = found.agent;
      return {
        state: { ...state, selected: agent_id, opened: { agent_id, below: 0 } },
        effect: { type: "open", seen: found },
      };
    },
  },
  {
    name: "answer",
    usage: ":answer WORDS",
    help: "answer what the chosen agent asks",
    run: (state, words, now) => {
      const problem = notAnswerable(state);
      const request = currentAgent(state)?.asks?.request;
      if (problem !== undefined || request === undefined) return { state: { ...state, notice: problem } };
      return words === "" ? pressRow(state, "a", now) : giveAnswer(state, request, [], words);
    },
  },
  {
    name: "filter",
    usage: ":filter WORDS",
    help: "show only agents with these words in them",
    run: (state, text) => ({ state: { ...state, selected: undefined, filter: { ...state.filter, text } } }),
  },
  {
    name: "only",
    usage: ":only STATE",
    help: `show agents in one state: ${KIND_NAMES.join(", ")}`,
    run: (state, words) => {
      const kind = KIND_NAMES.find((one) => one === words);
      if (kind === undefined)
        return { state: { ...state, notice: `Which state? One of ${KIND_NAMES.join(", ")}.` } };
      return { state: { ...state, selected: undefined, filter: { ...state.filter, kind } } };
    },
  },
  {
    name: "all",
    usage: ":all",
    help: "show all agents",
    run: (state) => ({ state: { ...state, filter: { text: "" } } }),
  },
  { name: "help", usage: ":help", help: "the keys", run: (state, _words, now) => pressRow(state, "?", now) },
  { name: "quit", usage: ":quit", help: "leave", run: (state) => ({ state, effect: { type: "quit" } }) },
];

/** Runs what was typed after `:`. The beginning of a command's name is enough. */
export function runCommand(state: TopState, typed: string, now: number): Next {
  const [, name = "", words = ""] = /^(\S*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  const back: TopState = { ...state, mode: { type: "keys" } };
  if (name === "") return { state: back };
  const row = COMMANDS.find((one) => one.name.startsWith(name));
  const shown = shownAgents(state).length;
  if (row === undefined) {
    const near = didYouMean(
      name,
      COMMANDS.map((one) => one.name),
    );
    return { state: { ...back, notice: `There is no command ${name}.${near} ? lists them.` } };
  }
  const next = row.run(back, words.trim(), now);
  const left = shownAgents(next.state).length;
  return left === 0 && shown > 0 && next.state.notice === undefined
    ? { ...next, state: { ...next.state, notice: "No agent is like that. :all shows all of them." } }
    : next;
}
