import type { LanguageModelV3Message } from "@ai-sdk/provider";
import { frozenCopy, markFrozen } from "../../core/base/json.ts";
import { hasFiles } from "../messages/marks.ts";
import { tokensOf } from "../messages/message-tokens.ts";
import {
  type AgentMessage,
  isSummary,
  type MessageFromAssistant,
  type Summary,
} from "../messages/messages.ts";
import { modelMessage } from "../messages/prompt.ts";

/** For events whose messages no hook reads. */
export const NO_MESSAGES: readonly AgentMessage[] = Object.freeze([]);

/** A message, frozen, and the form in which the model gets it. */
interface Entry {
  readonly message: AgentMessage;
  readonly sent: LanguageModelV3Message;
  /** Counted when somebody first asks, then kept: a step must not count a long conversation again. */
  tokens: number | undefined;
}

/** The messages of an agent in two lists: the transcript, and what the model sees. A message is converted once. */
export class Conversation {
  readonly #stored: AgentMessage[];
  /** What the model sees, unless a hook shows it something else: then `#view` is another list. */
  #base: Entry[];
  #view: Entry[];
  /** How many messages of the view live for one request, and whether any does not outlive the turn. */
  #forRequest = 0;
  #hasTemporary: boolean;
  #snapshot: readonly AgentMessage[] | undefined;
  /** How many messages of the view are marked as frozen, so that events share them. */
  #frozen = 0;
  /** The tokens of the first messages of the view. */
  #summed = { entries: 0, tokens: 0 };
  /** The ids of all calls so far. */
  readonly #calls = new Set<string>();
  /** True once a message with images or files was shown. */
  #hasFiles = false;

  /**
   * @param earlier a transcript to continue; messages of ended turns and requests are not shown again.
   * @param open_turn_id the turn that continues.
   */
  constructor(earlier: readonly AgentMessage[] = [], open_turn_id?: string) {
    this.#stored = [...frozenCopy(earlier)];
    for (const message of this.#stored) this.#knowCalls(message);
    const lives = (message: AgentMessage): boolean =>
      outlivesTurn(message) || (lifetimeOf(message) === "turn" && message.turn_id === open_turn_id);
    this.#base = afterSummary(this.#stored)
      .filter(lives)
      .map((message) => this.#entryOf(message));
    this.#view = this.#base;
    this.#hasTemporary = !this.#base.every(({ message }) => outlivesTurn(message));
  }

  /** How many messages the transcript has. */
  get length(): number {
    return this.#stored.length;
  }

  /** The last message of the transcript. */
  get last(): AgentMessage | undefined {
    return this.#stored.at(-1);
  }

  /** Adds a message at the end. `modelOnly`: the model sees it, and it is not in the transcript. */
  add(message: AgentMessage, modelOnly = false): void {
    if (!modelOnly) this.#stored.push(message);
    this.#knowCalls(message);
    if (lifetimeOf(message) === "request") this.#forRequest += 1;
    if (!outlivesTurn(message)) this.#hasTemporary = true;
    this.#snapshot = undefined;
    const entry = this.#entryOf(message);
    this.#view.push(entry);
    if (this.#view !== this.#base) this.#base.push(entry);
  }

  /**
   * The parts of an answer, with new ids for calls whose id the conversation has: some models count from the start in each
   * request, and an approval or result must belong to one call.
   */
  withOwnIds(parts: MessageFromAssistant["parts"]): MessageFromAssistant["parts"] {
    const ownId = this.ownIds();
    return parts.map((part) => {
      if (part.type !== "tool_call") return part;
      const tool_use_id = ownId(part.tool_use_id);
      return tool_use_id === part.tool_use_id ? part : { ...part, tool_use_id };
    });
  }

  /** Gives the calls of one answer their ids, in order. */
  ownIds(): (given: string) => string {
    const ids = new Set<string>();
    return (given) => {
      let id = given;
      for (let number = 2; this.#calls.has(id) || ids.has(id); number += 1) id = `${given}-${number}`;
      ids.add(id);
      return id;
    };
  }

  #knowCalls(message: AgentMessage): void {
    for (const part of message.parts) if (part.type === "tool_call") this.#calls.add(part.tool_use_id);
  }

  /** Where the messages of a turn begin. */
  startOf(turn_id: string): number {
    const at = this.#stored.findIndex((message) => message.turn_id === turn_id);
    return at === -1 ? this.#stored.length : at;
  }

  /** False while a hook shows the model something else. */
  get shownAsIs(): boolean {
    return this.#view === this.#base;
  }

  /** False when no message that the model sees has images or files. */
  get hasFiles(): boolean {
    return this.#hasFiles;
  }

  /** True for a message of the transcript; false for one that only the model sees. */
  has(message: AgentMessage): boolean {
    return this.#stored.some(({ id }) => id === message.id);
  }

  /** About as many tokens as what the model sees has. Costs only what was added since the last call. */
  tokens(): number {
    for (const entry of this.#view.slice(this.#summed.entries)) {
      this.#summed.entries += 1;
      this.#summed.tokens += tokensIn(entry);
    }
    return Math.ceil(this.#summed.tokens);
  }

  /** About as many tokens as what the model sees since its last answer has. */
  tokensSinceAnswer(): number {
    const last = this.#view.findLastIndex(({ message }) => message.role === "assistant");
    return Math.ceil(this.#view.slice(last + 1).reduce((sum, entry) => sum + tokensIn(entry), 0));
  }

  /** Shows the model shorter messages. Returns false when none can be made shorter. */
  shorten(shorter: (message: AgentMessage) => AgentMessage): boolean {
    let changed = false;
    this.#base = this.#base.map((entry) => {
      const message = shorter(entry.message);
      if (message === entry.message) return entry;
      changed = true;
      return this.#entryOf(message);
    });
    this.#setView(this.#base);
    return changed;
  }

  /** Adds a summary that replaces these messages, the first ones that the model sees. */
  compact(summary: Summary, summarised: readonly AgentMessage[]): void {
    this.#stored.push(summary);
    const gone = new Set(summarised);
    this.#base = [this.#entryOf(summary), ...this.#base.filter(({ message }) => !gone.has(message))];
    this.#setView(this.#base);
  }

  /** What the model sees now, frozen; the same list until something is added. */
  seen(): readonly AgentMessage[] {
    const messages = (): readonly AgentMessage[] => this.#view.map(({ message }) => message);
    this.#snapshot ??= frozenList(messages(), this.#frozen);
    this.#frozen = this.#snapshot.length;
    return this.#snapshot;
  }

  /** What the model sees now, after a system prompt, in the form in which it is sent. The caller may change the list. */
  prompt(system: LanguageModelV3Message | undefined): LanguageModelV3Message[] {
    const messages = this.#view.map(({ sent }) => sent);
    return system === undefined ? messages : [system, ...messages];
  }

  /** The transcript, from an index on. */
  transcript(from = 0): readonly AgentMessage[] {
    return frozenList(this.#stored.slice(from));
  }

  /** Shows the model other messages until the turn ends. What is added later follows them. */
  show(messages: readonly AgentMessage[]): void {
    this.#setView(messages.map((message) => this.#entryOf(message)));
  }

  /** Drops what only this request was to show. */
  endRequest(): void {
    if (this.#forRequest > 0) this.#drop((message) => lifetimeOf(message) !== "request");
    this.#forRequest = 0;
  }

  /** Drops what only this turn was to show, and a rewritten conversation. */
  endTurn(): void {
    this.#setView(this.#base);
    if (this.#hasTemporary) this.#drop(outlivesTurn);
    this.#hasTemporary = false;
    this.#forRequest = 0;
  }

  #drop(stays: (message: AgentMessage) => boolean): void {
    const same = this.shownAsIs;
    this.#base = this.#base.filter(({ message }) => stays(message));
    this.#setView(same ? this.#base : this.#view.filter(({ message }) => stays(message)));
  }

  #entryOf(message: AgentMessage): Entry {
    freezeMessage(message);
    this.#hasFiles ||= hasFiles(message);
    return { message, sent: modelMessage(message), tokens: undefined };
  }

  #setView(view: Entry[]): void {
    this.#view = view;
    this.#frozen = 0;
    this.#summed = { entries: 0, tokens: 0 };
    this.#snapshot = undefined;
  }
}

function tokensIn(entry: Entry): number {
  entry.tokens ??= tokensOf(entry.message);
  return entry.tokens;
}

/** How long the model sees a message. */
function lifetimeOf(message: AgentMessage): "request" | "turn" | "session" {
  return (message.role === "user" ? message.lifetime : undefined) ?? "session";
}

function outlivesTurn(message: AgentMessage): boolean {
  return lifetimeOf(message) === "session";
}

/** A transcript as the model sees it: the last summary, and what follows the messages that it replaces. */
function afterSummary(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const summary = messages.findLast(isSummary);
  if (summary === undefined) return messages;
  const until = messages.findIndex(({ id }) => id === summary.summary_until);
  return [summary, ...messages.slice(until + 1).filter((message) => !isSummary(message))];
}

/**
 * Freezes a list and marks it and its messages, which are frozen already, so that events share them and copy nothing.
 *
 * @param known how many of the first messages are marked already.
 */
function frozenList(messages: readonly AgentMessage[], known = 0): readonly AgentMessage[] {
  for (const message of messages.slice(known)) markFrozen(message);
  return markFrozen(Object.freeze(messages));
}

/** Its parts must hold only strings, flags and values that are frozen already. */
function freezeMessage(message: AgentMessage): void {
  for (const part of message.parts) Object.freeze(part);
  Object.freeze(message.parts);
  Object.freeze(message);
}
