import type { AgentItem, AgentResult, Approval, AskApproval, AskUser } from "../../agent.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import { lastingText } from "../approval-text.ts";
import type { Cell } from "../cells/cell.ts";
import { notice, reduceItem } from "../cells/reduce.ts";
import { withCells } from "../cells/state.ts";
import { EMPTY_LINE } from "../input/line.ts";
import type { ChatHost, ChatPort, ChatSession, Opening } from "./port.ts";
import { type ChatEffect, type ChatState, type Dialog, NEW_CHAT } from "./state.ts";

/** The screen is drawn so often at most, however much an agent says. */
const DRAW_MILLISECONDS = 33;

type Answers = Readonly<Record<string, string>> | undefined;

type RunCommand = (chat: Conversation, typed: string) => Promise<boolean>;

/** A conversation with an agent: its state, who listens, and what keys make happen. It owns the agent's session. */
export class Conversation implements ChatHost {
  readonly port: ChatPort;
  /** What hooks did in this chat, by their names. */
  readonly hookRuns = new Map<string, { readonly count: number; readonly last: HookRun }>();
  #state: ChatState;
  #session: ChatSession | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #approvals = new Map<number, (answer: Approval) => void>();
  readonly #answers = new Map<number, (answers: Answers) => void>();
  #timer: NodeJS.Timeout | undefined;
  #asked = 0;
  #opening: Promise<void> | undefined;
  readonly #runCommand: RunCommand;
  readonly #left: Promise<void>;
  #leave: () => void = () => undefined;

  /** @param runCommand runs a line that begins with `/`; false when it is no command. */
  constructor(port: ChatPort, runCommand: RunCommand) {
    this.port = port;
    this.#runCommand = runCommand;
    this.#state = { ...NEW_CHAT, history: port.history };
    this.#left = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  get state(): ChatState {
    return this.#state;
  }

  get session(): ChatSession | undefined {
    return this.#session;
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
    this.#changeSoon((state) => ({ ...state, cells: reduceItem(state.cells, item, this.port.now()) }));
  };

  readonly report = (text: string): void => this.add(notice("warning", text));

  add(...cells: readonly Cell[]): void {
    this.change((state) => ({ ...state, cells: withCells(state.cells, ...cells) }));
  }

  print(lines: readonly string[]): void {
    this.add({ type: "lines", lines });
  }

  say(text: string): void {
    this.change((state) => ({ ...state, notice: text }));
  }

  choose(title: string, options: (Dialog & { type: "choose" })["options"]): void {
    this.change((state) => ({
      ...state,
      dialogs: [...state.dialogs, { type: "choose", title, options, at: 0 }],
    }));
  }

  readonly approval: AskApproval = (request, signal) => {
    const lasting = lastingText(request);
    return this.#ask(signal, this.#approvals, (id, until) => ({
      type: "approval",
      id,
      request,
      ...(lasting === undefined ? {} : { lasting }),
      ...until,
    }));
  };

  readonly askUser: AskUser = (questions, signal) =>
    this.#ask(signal, this.#answers, (id, until) => ({
      type: "question",
      id,
      questions,
      answers: [],
      line: EMPTY_LINE,
      ...until,
    }));

  /** Shows a dialog until it is answered, or the signal says that somebody else has answered or nobody in time. */
  async #ask<Answer>(
    signal: AbortSignal,
    waiting: Map<number, (answer: Answer) => void>,
    dialogOf: (id: number, until: { readonly until?: number }) => Dialog,
  ): Promise<Answer> {
    signal.throwIfAborted();
    this.#asked += 1;
    const id = this.#asked;
    const seconds = this.#session?.answer_seconds;
    const until = seconds === undefined ? {} : { until: this.port.now() + seconds * 1000 };
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
    switch (effect.type) {
      case "submit":
        void this.submit(effect.text);
        break;
      case "complete":
        void this.#complete(effect.word, effect.begin);
        break;
      case "interrupt":
        this.#session?.interrupt();
        break;
      case "leave":
        this.leave();
        break;
      case "approval":
        this.#approvals.get(effect.id)?.(effect.approval);
        break;
      case "answers":
        this.#answers.get(effect.id)?.(effect.answers);
        break;
      case "chosen":
        void this.reopen({ type: "resume", id: effect.value });
        break;
      default:
        effect satisfies never;
    }
  }

  async #complete(word: string, begin: number): Promise<void> {
    const names = await this.port.files(word).catch(() => []);
    const { line } = this.#state;
    // More may have been typed meanwhile.
    if (line.text.slice(begin, line.at) !== word) return;
    this.change((state) => ({
      ...state,
      completion: names.length === 0 ? undefined : { begin, names, at: 0 },
    }));
  }

  /** What the user typed: a command, or a message to the agent. Only this becomes history. */
  async submit(text: string): Promise<void> {
    this.port.remember(text);
    this.change((state) => ({ ...state, history: [...state.history.filter((one) => one !== text), text] }));
    try {
      // What is typed before the agent is there waits for it.
      await this.#opening;
      if (await this.#runCommand(this, text)) return;
      if (this.#state.busySince === undefined) return void (await this.run(text));
      this.say("The agent reads this at its next step.");
      const steered = await this.#session?.steer(text);
      if (steered?.status === "joined") this.add({ type: "user", text });
      else if (steered?.status === "denied") this.report(`Refused: ${steered.reason}`);
      else
        this.change((state) => ({
          ...state,
          line: { text, at: text.length },
          notice: "The agent was done: send it again.",
        }));
    } catch (error) {
      this.add(notice("error", errorMessage(error)));
    }
  }

  /** Runs a turn and shows it; without a text, completes one that was cut off. */
  async run(text: string | undefined): Promise<AgentResult | undefined> {
    const session = this.#session;
    if (session === undefined) return undefined;
    if (text !== undefined) this.add({ type: "user", text });
    return this.working(async () => {
      const result = await session.run(text);
      if (result.stop_reason !== "complete") this.report(`${endText(result)}`);
      return result;
    });
  }

  async working<Result>(work: () => Promise<Result>): Promise<Result> {
    this.change((state) => ({ ...state, busySince: this.port.now(), notice: undefined }));
    try {
      return await work();
    } finally {
      this.change((state) => ({ ...state, busySince: undefined, dialogs: [] }));
      this.refreshInfo();
    }
  }

  refreshInfo(): void {
    const session = this.#session;
    if (session === undefined) return;
    this.change((state) => ({ ...state, model: session.model, hookCount: session.hookCount() }));
  }

  /** Opens a conversation, in place of the present one. */
  reopen(opening: Opening): Promise<void> {
    const opened = this.#reopen(opening);
    this.#opening = opened.catch(() => undefined);
    return opened;
  }

  async #reopen(opening: Opening): Promise<void> {
    try {
      const before = this.#session;
      const opened = await this.port.open(opening, this);
      this.#session = opened;
      await before?.close();
      const earlier = opened.earlier.map(
        ({ role, text }): Cell => (role === "user" ? { type: "user", text } : { type: "text", text }),
      );
      const again = opening.type === "fork" ? "A copy of the session" : `Session ${opened.agent_id}`;
      const told = opening.type === "new" ? [] : [notice("info", `${again}:`)];
      this.add(...told, ...earlier);
      this.refreshInfo();
      if (opening.type === "resume" && opened.unfinished) void this.run(undefined);
    } catch (error) {
      this.add(notice("error", errorMessage(error)));
      if (this.#session === undefined) throw error;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#session?.close();
  }
}

function endText({ stop_reason, reason }: AgentResult): string {
  const how = stop_reason === "cancelled" ? "Interrupted." : `Ended: ${stop_reason.replaceAll("_", " ")}.`;
  return reason === undefined || stop_reason === "cancelled" ? how : `${how} ${reason}`;
}
