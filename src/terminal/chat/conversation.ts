import type { AgentResult } from "../../agent.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
import type { AnswerTime } from "../../core/contracts/approval.ts";
import type { Cell } from "../cells/cell.ts";
import { notice } from "../cells/reduce.ts";
import type { ChatPort, ChatSession, Opening } from "./port.ts";
import { type ChatEffect, type Dialog, NEW_CHAT } from "./state.ts";
import { Watched } from "./watched.ts";

type RunCommand = (chat: Conversation, typed: string) => Promise<boolean>;

/** A conversation with an agent: what the user types, and what it makes happen. It owns the agent's session. */
export class Conversation extends Watched {
  readonly port: ChatPort;
  #session: ChatSession | undefined;
  #opening: Promise<void> | undefined;
  readonly #runCommand: RunCommand;

  /** @param runCommand runs a line that begins with `/`; false when it is no command. */
  constructor(port: ChatPort, runCommand: RunCommand) {
    super(port, { ...NEW_CHAT, history: port.history });
    this.port = port;
    this.#runCommand = runCommand;
  }

  get session(): ChatSession | undefined {
    return this.#session;
  }

  override get answer_time(): AnswerTime | undefined {
    return this.#session?.answer_time;
  }

  override interrupt(): void {
    this.#session?.interrupt();
  }

  choose(title: string, options: (Dialog & { type: "choose" })["options"]): void {
    this.change((state) => ({
      ...state,
      dialogs: [...state.dialogs, { type: "choose", title, options, at: 0 }],
    }));
  }

  override carryOut(effect: Exclude<ChatEffect, { type: "show_all" }>): void {
    if (effect.type === "submit") void this.submit(effect.text);
    else if (effect.type === "complete") void this.#complete(effect.word, effect.begin);
    else if (effect.type === "chosen") void this.reopen({ type: "resume", id: effect.value });
    else super.carryOut(effect);
  }

  async #complete(word: string, begin: number): Promise<void> {
    const names = await this.port.files(word).catch(() => []);
    const { line } = this.state;
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
      if (this.state.busySince === undefined) return void (await this.run(text));
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
      this.#failed(error);
    }
  }

  readonly #failed = (error: unknown): void => {
    const hint = isTenterhookError(error) ? ` ${error.hint}` : "";
    this.add(notice("error", `${errorMessage(error)}${hint}`));
  };

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
    this.change((state) => ({
      ...state,
      busySince: this.port.now(),
      leavesNext: false,
      notice: undefined,
    }));
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
      if (opening.type === "resume" && opened.unfinished) void this.run(undefined).catch(this.#failed);
    } catch (error) {
      this.#failed(error);
      if (this.#session === undefined) throw error;
    }
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#session?.close();
  }
}

function endText({ stop_reason, reason }: AgentResult): string {
  const how = stop_reason === "cancelled" ? "Interrupted." : `Ended: ${stop_reason.replaceAll("_", " ")}.`;
  return reason === undefined || stop_reason === "cancelled" ? how : `${how} ${reason}`;
}
