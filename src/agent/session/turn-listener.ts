import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import { StreamDeltas } from "../model/deltas.ts";
import type { AnswerListener } from "../model/stream.ts";
import { type AgentSession, emit, type Turn } from "./session.ts";

/** Hears of the answers of a turn, one after the other, and tells of them while they come. */
export class TurnListener implements AnswerListener {
  /** What the present answer has used, when the provider told it. */
  usage: LanguageModelV3Usage | undefined = undefined;
  private readonly session: AgentSession;
  private readonly turn: Turn;
  private message_id = "";
  private deltas: StreamDeltas | undefined = undefined;

  constructor(session: AgentSession, turn: Turn) {
    this.session = session;
    this.turn = turn;
  }

  /** Another answer comes, which will be the message with this id. */
  begin(message_id: string): void {
    this.message_id = message_id;
    this.deltas = undefined;
    this.usage = undefined;
  }

  /** The answer is there: tells hooks what they have not heard of it yet. */
  flush(): void {
    this.deltas?.flush();
  }

  text(text: string): void {
    const { session, turn, message_id } = this;
    turn.partial += text;
    this.deltas ??= new StreamDeltas(session, turn);
    this.deltas.add(text);
    if (session.listeners.size > 0) emit(session, { type: "text_delta", message_id, text });
  }

  reasoning(text: string): void {
    const { session, message_id } = this;
    if (session.listeners.size > 0) emit(session, { type: "reasoning_delta", message_id, text });
  }

  used(usage: LanguageModelV3Usage): void {
    this.usage = usage;
  }
}
