import type { Approval } from "../../agent.ts";
import { readQuestion, readQuestionAnswer } from "../../core/contracts/questions.ts";
import type { Key } from "../input/key.ts";
import { EMPTY_LINE, editLine, insert, lineOf, type TypedLine } from "../input/line.ts";
import type { ChatNext, ChatState, Completion, Dialog } from "./state.ts";

/** What a key does. */
export function pressChat(given: ChatState, key: Key): ChatNext {
  const state: ChatState = { ...given, notice: undefined };
  if (key.ctrl === true && key.text === "c")
    return state.watches ? { state, effect: { type: "interrupt" } } : pressInterrupt(state);
  const calm: ChatState = { ...state, leavesNext: false };
  if (key.ctrl === true && key.text === "o") return { state: calm, effect: { type: "show_all" } };
  const [dialog] = state.dialogs;
  if (dialog !== undefined) return inDialog(calm, dialog, key);
  if (!state.watches) return inInput(calm, key);
  return key.name === "escape" ? { state, effect: { type: "interrupt" } } : { state };
}

/** The first Ctrl-C empties the line or interrupts; a second one leaves, whenever it comes. */
function pressInterrupt(state: ChatState): ChatNext {
  const { leavesNext, busySince, line } = state;
  if (leavesNext) return { state, effect: { type: "leave" } };
  const next: ChatState = { ...state, line: EMPTY_LINE, completion: undefined };
  const warned: ChatState = { ...next, leavesNext: true, notice: "Ctrl-C again leaves." };
  if (busySince !== undefined) return { state: warned, effect: { type: "interrupt" } };
  return { state: line.text === "" ? warned : next };
}

function inInput(state: ChatState, key: Key): ChatNext {
  const { line, completion, busySince } = state;
  if (completion !== undefined) {
    const chosen = inCompletion(state, completion, key);
    if (chosen !== undefined) return chosen;
  }
  if (key.ctrl === true && key.text === "d" && line.text === "") return { state, effect: { type: "leave" } };
  if (key.name === "escape") {
    if (completion !== undefined) return { state: { ...state, completion: undefined } };
    return busySince === undefined ? { state } : { state, effect: { type: "interrupt" } };
  }
  if (key.name === "return") {
    if (key.meta === true || key.shift === true) return edited(state, insert(line, "\n"));
    if (line.text.endsWith("\\")) return edited(state, lineOf(`${line.text.slice(0, -1)}\n`));
    const text = line.text.trim();
    if (text === "") return { state };
    return {
      state: { ...state, line: EMPTY_LINE, recall: undefined, completion: undefined },
      effect: { type: "submit", text },
    };
  }
  if (key.name === "up" || key.name === "down") return recalled(state, key.name);
  if (key.name === "tab") return completing(state);
  const next = editLine(line, key);
  return next === undefined ? { state } : edited(state, next);
}

/** After a change, the word at the cursor may be the beginning of a file's name. */
function edited(state: ChatState, line: TypedLine): ChatNext {
  return completing({ ...state, line, recall: undefined, completion: undefined });
}

function completing(state: ChatState): ChatNext {
  const { text, at } = state.line;
  const [, word] = /(?:^|\s)@(\S*)$/.exec(text.slice(0, at)) ?? [];
  if (word === undefined) return { state };
  return { state, effect: { type: "complete", word, begin: at - word.length } };
}

function inCompletion(state: ChatState, completion: Completion, key: Key): ChatNext | undefined {
  const { names, at, begin } = completion;
  const move = key.name === "down" ? 1 : key.name === "up" ? -1 : 0;
  if (move !== 0)
    return {
      state: { ...state, completion: { ...completion, at: (at + move + names.length) % names.length } },
    };
  if (key.name !== "tab" && key.name !== "return") return undefined;
  const name = names[at] ?? "";
  const { text, at: cursor } = state.line;
  // A folder goes on with what is in it.
  const end = name.endsWith("/") ? name : `${name} `;
  const line = { text: `${text.slice(0, begin)}${end}${text.slice(cursor)}`, at: begin + end.length };
  return edited({ ...state, completion: undefined }, line);
}

/** Through what the user typed before. */
function recalled(state: ChatState, direction: "up" | "down"): ChatNext {
  const { line, history, recall } = state;
  const isAtEdge =
    direction === "up"
      ? !line.text.slice(0, line.at).includes("\n")
      : !line.text.slice(line.at).includes("\n");
  if (!isAtEdge) return { state: { ...state, line: { text: line.text, at: lineAbove(line, direction) } } };
  const from = recall?.at ?? history.length;
  const to = direction === "up" ? from - 1 : from + 1;
  if (to < 0 || (to > history.length - 1 && recall === undefined)) return { state };
  const draft = recall?.draft ?? line.text;
  if (to >= history.length) return { state: { ...state, recall: undefined, line: lineOf(draft) } };
  return { state: { ...state, recall: { at: to, draft }, line: lineOf(history[to] ?? "") } };
}

/** The place in the line above or below, in the same column where there is one. */
function lineAbove({ text, at }: TypedLine, direction: "up" | "down"): number {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const column = at - start;
  if (direction === "up") {
    const before = text.lastIndexOf("\n", start - 2) + 1;
    return Math.min(before + column, start - 1);
  }
  const next = text.indexOf("\n", at) + 1;
  const end = text.indexOf("\n", next);
  return Math.min(next + column, end < 0 ? text.length : end);
}

function inDialog(state: ChatState, dialog: Dialog, key: Key): ChatNext {
  if (dialog.type === "choose") return inChoice(state, dialog, key);
  if (dialog.type === "question") return inQuestion(state, dialog, key);
  const answer = (approval: Approval): ChatNext => ({
    state: { ...state, dialogs: state.dialogs.slice(1) },
    effect: { type: "approval", id: dialog.id, approval },
  });
  const { words, lasting } = dialog;
  if (words !== undefined) {
    if (key.name === "escape") return { state: withDialog(state, { ...dialog, words: undefined }) };
    if (key.name === "return")
      return answer(words.text.trim() === "" ? false : { allow: false, feedback: words.text.trim() });
    return { state: withDialog(state, { ...dialog, words: editLine(words, key) ?? words }) };
  }
  if (key.name === "escape") return { state, effect: { type: "interrupt" } };
  // Ctrl-S is a habit, no permission.
  if (key.ctrl === true || key.meta === true) return { state };
  switch (key.text.toLowerCase()) {
    case "y":
      return answer(true);
    case "s":
      return lasting === undefined
        ? { state: { ...state, notice: "This can only be allowed once." } }
        : answer({ allow: true, for: "session" });
    case "n":
      return answer(false);
    case "w":
      return { state: withDialog(state, { ...dialog, words: EMPTY_LINE }) };
    default:
      return { state };
  }
}

function withDialog(state: ChatState, dialog: Dialog): ChatState {
  return { ...state, dialogs: [dialog, ...state.dialogs.slice(1)] };
}

function inQuestion(state: ChatState, dialog: Dialog & { type: "question" }, key: Key): ChatNext {
  if (key.name === "escape") return { state, effect: { type: "interrupt" } };
  const { questions, answers, line, id } = dialog;
  const asked = questions[answers.length];
  if (key.name !== "return")
    return { state: withDialog(state, { ...dialog, line: editLine(line, key) ?? line }) };
  if (asked === undefined || line.text.trim() === "") return { state };
  const read = readQuestionAnswer(readQuestion(asked), line.text.trim());
  if ("wrong" in read) return { state: { ...state, notice: `There is no option ${read.wrong}.` } };
  const given = [...answers, read.answer];
  if (given.length < questions.length)
    return { state: withDialog(state, { ...dialog, answers: given, line: EMPTY_LINE }) };
  return {
    state: { ...state, dialogs: state.dialogs.slice(1) },
    effect: {
      type: "answers",
      id,
      answers: Object.fromEntries(questions.map(({ question }, at) => [question, given[at] ?? ""])),
    },
  };
}

function inChoice(state: ChatState, dialog: Dialog & { type: "choose" }, key: Key): ChatNext {
  const { options, at } = dialog;
  const closed: ChatState = { ...state, dialogs: state.dialogs.slice(1) };
  if (key.name === "escape") return { state: closed };
  if (key.name === "return")
    return { state: closed, effect: { type: "chosen", value: options[at]?.value ?? "" } };
  const move = key.name === "down" || key.text === "j" ? 1 : key.name === "up" || key.text === "k" ? -1 : 0;
  const next = Math.max(0, Math.min(options.length - 1, at + move));
  return { state: withDialog(state, { ...dialog, at: next }) };
}
