import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import { ignore } from "../../core/base/error-text.ts";
import { fireAnyway } from "../session/fire.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import type { AnswerListener, OpenCall } from "./stream.ts";

const MILLISECONDS = 100;
const CHARACTERS = 4000;

interface Answer {
  /** The id of the message that it becomes. */
  readonly id: string;
  /** False when calls of tools are dropped. */
  readonly with_calls: boolean;
  /** True when its text must not be seen before hooks have agreed to it. */
  readonly guarded: boolean;
}

/** Passes an answer on while it streams: every piece to listeners, batches of text to hooks, which never delay the stream. */
export class StreamDeltas implements AnswerListener {
  /** What the answer has used, if the provider reports it. */
  usage: LanguageModelV3Usage | undefined;
  private readonly session: AgentSession;
  private readonly turn: Turn;
  private readonly message_id: string;
  private text_for_hooks = "";
  private flushed_at: number | undefined;
  /** The ids of the calls whose input streams; `undefined` when the calls of the answer are dropped. */
  private readonly calls: Map<OpenCall, string> | undefined;
  private readonly guarded: boolean;
  private readonly ownId: (given: string) => string;

  constructor(session: AgentSession, turn: Turn, { id, with_calls, guarded }: Answer) {
    this.guarded = guarded;
    this.session = session;
    this.turn = turn;
    this.message_id = id;
    this.calls = with_calls ? new Map() : undefined;
    this.ownId = session.conversation.ownIds();
  }

  text(text: string): void {
    const { session, turn, message_id } = this;
    const now = session.clock.monotonic();
    this.flushed_at ??= now;
    if (!this.guarded) turn.partial += text;
    this.text_for_hooks += text;
    if (this.text_for_hooks.length >= CHARACTERS || now - this.flushed_at >= MILLISECONDS) this.flush();
    if (!this.guarded) emit(session, { type: "text_delta", message_id, text });
  }

  reasoning(text: string): void {
    if (!this.guarded) emit(this.session, { type: "reasoning_delta", message_id: this.message_id, text });
  }

  input(call: OpenCall, text: string): void {
    const { session, calls, message_id } = this;
    if (calls === undefined) return;
    const tool_use_id = calls.get(call) ?? this.ownId(call.id);
    calls.set(call, tool_use_id);
    const { tool_name } = call;
    if (text !== "" && session.listeners.size > 0)
      emit(session, { type: "tool_input_delta", message_id, tool_use_id, tool_name, text });
  }

  used(usage: LanguageModelV3Usage): void {
    this.usage = usage;
  }

  /** Gives hooks the text they have not seen yet. */
  flush(): void {
    if (this.text_for_hooks === "") return;
    const { session, turn, text_for_hooks: text } = this;
    this.text_for_hooks = "";
    this.flushed_at = session.clock.monotonic();
    ignore(fireAnyway(session, "StreamDelta", { text, usage: turn.usage }, turn.firing));
  }
}
