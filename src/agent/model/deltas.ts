import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import { ignore } from "../../core/base/error-text.ts";
import { fireAnyway } from "../session/fire.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import type { AnswerListener } from "./stream.ts";

const MILLISECONDS = 100;
const CHARACTERS = 4000;

/** Passes an answer on while it streams: every piece to listeners, batches of text to hooks, which never delay the stream. */
export class StreamDeltas implements AnswerListener {
  /** What the answer has used, if the provider told. */
  usage: LanguageModelV3Usage | undefined;
  private readonly session: AgentSession;
  private readonly turn: Turn;
  private readonly message_id: string;
  private text_for_hooks = "";
  private flushed_at: number | undefined;

  constructor(session: AgentSession, turn: Turn, message_id: string) {
    this.session = session;
    this.turn = turn;
    this.message_id = message_id;
  }

  text(text: string): void {
    const { session, turn, message_id } = this;
    const now = session.clock.monotonic();
    this.flushed_at ??= now;
    turn.partial += text;
    this.text_for_hooks += text;
    if (this.text_for_hooks.length >= CHARACTERS || now - this.flushed_at >= MILLISECONDS) this.flush();
    emit(session, { type: "text_delta", message_id, text });
  }

  reasoning(text: string): void {
    emit(this.session, { type: "reasoning_delta", message_id: this.message_id, text });
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
