import type { AgentItem, Approval, AskApproval, AskUser } from "../../agent.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { type AnswerTime, type ApprovalRequest, secondsFor } from "../../core/contracts/approval.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import { lastingText } from "../approval-text.ts";
import type { Cell, TableRow, ToolCell } from "../cells/cell.ts";
import { notice, reduceItem } from "../cells/reduce.ts";
import { withCells, withTool } from "../cells/state.ts";
import { EMPTY_LINE } from "../input/line.ts";
import type { ChatHost } from "./port.ts";
import type { ChatEffect, ChatState, Dialog } from "./state.ts";

/** The screen is drawn so often at most, however much an agent says. */
const DRAW_MILLISECONDS = 33;

type Answers = Readonly<Record<string, string>> | undefined;

/** What a screen of an agent needs to know from the start. */
export interface WatchedPlace {
  readonly folder: string;
  now(): number;
}

/** An agent on a screen: its state, who listens, and the questions that wait for a human. */
export abstract class Watched implements ChatHost {
  readonly folder: string;
  readonly now: () => number;
  /** What hooks did, by their names. */
  readonly hookRuns = new Map<string, { readonly count: number; readonly last: HookRun }>();
  /** How long a human has for an answer; `undefined` for any time. */
  abstract readonly answer_time: AnswerTime | undefined;
  #state: ChatState;
  readonly #listeners = new Set<() => void>();
  readonly #approvals = new Map<number, (answer: Approval) => void>();
  readonly #answers = new Map<number, (answers: Answers) => void>();
  #timer: NodeJS.Timeout | undefined;
  #asked = 0;
  readonly #left: Promise<void>;
  #leave: () => void = () => undefined;

  constructor({ folder, now }: WatchedPlace, state: ChatState) {
    this.folder = folder;
    this.now = now;
    this.#state = state;
    this.#left = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  /** Ends what the agent does. */
  abstract interrupt(): void;

  get state(): ChatState {
    return this.#state;
  }

  /** Resolves when the user leaves, or the watched run is over. */
  get left(): Promise<void> {
    return this.#left;
  }

  leave(): void {
    this.#leave();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Changes the state and draws at once, as keys want it. */
  change(step: (state: ChatState) => ChatState): void {
    this.#state = step(this.#state);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const listener of this.#listeners) listener();
  }

  #changeSoon(step: (state: ChatState) => ChatState): void {
    this.#state = step(this.#state);
    this.#timer ??= setTimeout(() => this.change((state) => state), DRAW_MILLISECONDS);
  }

  readonly onItem = (item: AgentItem): void => {
    if (item.type === "hook_end") {
      const { name } = item.run;
      this.hookRuns.set(name, { count: (this.hookRuns.get(name)?.count ?? 0) + 1, last: item.run });
    }
    this.#changeSoon((state) => ({ ...state, cells: reduceItem(state.cells, item, this.now()) }));
  };

  readonly report = (text: string): void => this.add(notice("warning", text));

  add(...cells: readonly Cell[]): void {
    this.change((state) => ({ ...state, cells: withCells(state.cells, ...cells) }));
  }

  print(rows: readonly TableRow[]): void {
    this.add({ type: "table", rows });
  }

  say(text: string): void {
    this.change((state) => ({ ...state, notice: text }));
  }

  readonly approval: AskApproval = async (request, signal) => {
    const lasting = lastingText(request);
    const { tool_use_id } = request;
    this.#wait(tool_use_id, true);
    try {
      return await this.#ask(request.kind, signal, this.#approvals, (id, until) => ({
        type: "approval",
        id,
        request,
        lasting,
        ...until,
      }));
    } finally {
      this.#wait(tool_use_id, false);
    }
  };

  /** A call that a human is asked about does not run yet. */
  #wait(tool_use_id: string | undefined, waits: boolean): void {
    if (tool_use_id === undefined) return;
    const waiting = (cell: ToolCell): ToolCell => ({ ...cell, waits, started: this.now() });
    this.change((state) => ({ ...state, cells: withTool(state.cells, tool_use_id, waiting) }));
  }

  readonly askUser: AskUser = (questions, signal) =>
    this.#ask("question", signal, this.#answers, (id, until) => ({
      type: "question",
      id,
      questions,
      answers: [],
      line: EMPTY_LINE,
      ...until,
    }));

  /** Shows a dialog until it is answered, or the signal says that somebody else has answered or nobody in time. */
  async #ask<Answer>(
    kind: ApprovalRequest["kind"] | "question",
    signal: AbortSignal,
    waiting: Map<number, (answer: Answer) => void>,
    dialogOf: (id: number, until: { readonly until?: number }) => Dialog,
  ): Promise<Answer> {
    signal.throwIfAborted();
    this.#asked += 1;
    const id = this.#asked;
    const seconds = secondsFor(this.answer_time, kind);
    const until = seconds === undefined ? {} : { until: this.now() + seconds * 1000 };
    let over = (): void => undefined;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        waiting.set(id, resolve);
        over = () => {
          this.change((state) => ({
            ...state,
            notice: errorMessage(signal.reason),
            dialogs: state.dialogs.filter((one) => !("id" in one) || one.id !== id),
          }));
          reject(signal.reason);
        };
        signal.addEventListener("abort", over, { once: true });
        this.change((state) => ({ ...state, dialogs: [...state.dialogs, dialogOf(id, until)] }));
      });
    } finally {
      waiting.delete(id);
      signal.removeEventListener("abort", over);
    }
  }

  /** Carries out what a key asks for; the screen does `show_all` itself. */
  carryOut(effect: Exclude<ChatEffect, { type: "show_all" }>): void {
    if (effect.type === "interrupt") this.interrupt();
    else if (effect.type === "leave") this.leave();
    else if (effect.type === "approval") this.#approvals.get(effect.id)?.(effect.approval);
    else if (effect.type === "answers") this.#answers.get(effect.id)?.(effect.answers);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
  }
}
