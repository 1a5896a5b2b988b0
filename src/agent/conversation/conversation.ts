import type { LanguageModelV3Message } from "@ai-sdk/provider";
import { modelMessage } from "../model/prompt.ts";
import { afterCompaction, type Summary } from "./compacted.ts";
import type { AgentMessage } from "./messages.ts";
import { sealAll, sealedList } from "./seal.ts";

/** What events hold that nobody looks at. */
export const NO_MESSAGES: readonly AgentMessage[] = Object.freeze([]);

/**
 * What the model sees: messages, and the form in which each is sent. Both lists only grow during a turn. The first place
 * of the prompt is kept free for the system prompt, which every request may have another of: a list that has everything
 * in its place is copied in one go.
 */
interface View {
  readonly messages: AgentMessage[];
  readonly prompt: LanguageModelV3Message[];
}

const FREE_PLACE: LanguageModelV3Message = { role: "system", content: "" };

/** How long the model sees a message. */
function lifetimeOf(message: AgentMessage): "request" | "turn" | "session" {
  return (message.role === "user" ? message.lifetime : undefined) ?? "session";
}

/**
 * The messages of an agent, in two lists: what is kept, and what the model sees. A message is converted once, when it is
 * added; its place never changes. Nothing here looks at all messages but a turn's end, a rewrite, and whoever asks for
 * the whole list.
 */
export class Conversation {
  readonly #kept: AgentMessage[];
  #base: View;
  #view: View;
  /** Messages of the view that live for one request. */
  #passing = 0;
  /** True once there was a message that does not outlive the turn. */
  #ofTurn: boolean;
  #snapshot: readonly AgentMessage[] | undefined;
  /** How many messages of the view the engine knows to be frozen. */
  #known = 0;

  /**
   * @param earlier a transcript to go on from; what it holds of ended turns and requests is not seen again.
   * @param open_turn_id the turn that goes on.
   */
  constructor(earlier: readonly AgentMessage[] = [], open_turn_id?: string) {
    this.#kept = [...sealAll(earlier)];
    const lives = (message: AgentMessage): boolean =>
      outlivesTurn(message) || (lifetimeOf(message) === "turn" && message.turn_id === open_turn_id);
    this.#base = viewOf(afterCompaction(this.#kept).filter(lives));
    this.#view = this.#base;
    this.#ofTurn = !this.#base.messages.every(outlivesTurn);
  }

  /** How many messages are kept. */
  get length(): number {
    return this.#kept.length;
  }

  /** Adds a message at the end. `modelOnly`: the model sees it, the transcript does not keep it. */
  add(message: AgentMessage, modelOnly = false): void {
    if (!modelOnly) this.#kept.push(message);
    const converted = modelMessage(message);
    push(this.#view, message, converted);
    if (this.#view !== this.#base) push(this.#base, message, converted);
    const lifetime = lifetimeOf(message);
    if (lifetime === "request") this.#passing += 1;
    if (lifetime !== "session") this.#ofTurn = true;
    this.#snapshot = undefined;
  }

  /** The last message that is kept. */
  get last(): AgentMessage | undefined {
    return this.#kept.at(-1);
  }

  /** Where the messages of a turn begin. */
  startOf(turn_id: string): number {
    const at = this.#kept.findIndex((message) => message.turn_id === turn_id);
    return at === -1 ? this.#kept.length : at;
  }

  /** False while a hook shows the model something else. */
  get shownAsIs(): boolean {
    return this.#view === this.#base;
  }

  /** True for a message of the transcript; false for one that only the model sees. */
  keeps(message: AgentMessage): boolean {
    return this.#kept.includes(message);
  }

  /** Adds a summary: from now on the model sees it in the place of these messages, which come first in what it sees. */
  compact(summary: Summary, summarised: readonly AgentMessage[]): void {
    this.#kept.push(summary);
    const gone = new Set(summarised);
    this.#base = viewOf([summary, ...this.#base.messages.filter((message) => !gone.has(message))]);
    this.#view = this.#base;
    this.#known = 0;
    this.#snapshot = undefined;
  }

  /** What the model sees now, frozen; the same list until something is added. */
  seen(): readonly AgentMessage[] {
    this.#snapshot ??= sealedList(this.#view.messages, this.#known);
    this.#known = this.#snapshot.length;
    return this.#snapshot;
  }

  /** What the model sees now, after a system prompt, in the form in which it is sent: a list of the caller's own. */
  prompt(system: LanguageModelV3Message | undefined): LanguageModelV3Message[] {
    const { prompt } = this.#view;
    if (system === undefined) return prompt.slice(1);
    prompt[0] = system;
    return prompt.slice();
  }

  /** Everything that is kept, from a place on. */
  transcript(from = 0): readonly AgentMessage[] {
    return sealedList(from === 0 ? this.#kept : this.#kept.slice(from));
  }

  /** Shows the model other messages until the turn ends. What is added later follows them. */
  show(messages: readonly AgentMessage[]): void {
    this.#view = viewOf(messages);
    this.#known = 0;
    this.#snapshot = undefined;
  }

  /** The request was answered: what was meant for it alone is not seen again. */
  endRequest(): void {
    if (this.#passing === 0) return;
    this.#drop(outlivesRequest);
    this.#passing = 0;
  }

  /** The turn is over: what was meant for it is not seen again, nor is a rewritten conversation. */
  endTurn(): void {
    this.#view = this.#base;
    if (this.#ofTurn) this.#drop(outlivesTurn);
    this.#ofTurn = false;
    this.#passing = 0;
    this.#known = 0;
    this.#snapshot = undefined;
  }

  #drop(outlives: (message: AgentMessage) => boolean): void {
    const same = this.#view === this.#base;
    this.#base = filtered(this.#base, outlives);
    this.#view = same ? this.#base : filtered(this.#view, outlives);
    this.#known = 0;
    this.#snapshot = undefined;
  }
}

function outlivesRequest(message: AgentMessage): boolean {
  return lifetimeOf(message) !== "request";
}

function outlivesTurn(message: AgentMessage): boolean {
  return lifetimeOf(message) === "session";
}

function viewOf(messages: readonly AgentMessage[]): View {
  return { messages: [...messages], prompt: [FREE_PLACE, ...messages.map(modelMessage)] };
}

function push(view: View, message: AgentMessage, converted: LanguageModelV3Message): void {
  view.messages.push(message);
  view.prompt.push(converted);
}

function filtered({ messages, prompt }: View, keep: (message: AgentMessage) => boolean): View {
  return {
    messages: messages.filter(keep),
    prompt: prompt.filter((_, at) => {
      const message = messages[at - 1];
      return message === undefined || keep(message);
    }),
  };
}
