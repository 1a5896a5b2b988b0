import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { AnswerListener } from "./model-stream.ts";
import { type AgentSession, emit, type Turn } from "./session.ts";
import { StreamDeltas } from "./stream-deltas.ts";

/** Hears of the answers of a turn, one after the other, and tells of them while they come. */
export interface TurnListener extends AnswerListener {
  /** What the present answer has used, when the provider told it. */
  usage: LanguageModelV3Usage | undefined;
  /** Another answer comes, which will be the message with this id. */
  begin(message_id: string): void;
  /** The answer is there: tells hooks what they have not heard of it yet. */
  flush(): void;
}

/** Begins to hear of the answers of a turn. */
export function turnListener(session: AgentSession, turn: Turn): TurnListener {
  let message_id = "";
  let deltas: StreamDeltas | undefined;
  const listener: TurnListener = {
    usage: undefined,
    begin(id) {
      message_id = id;
      deltas = undefined;
      listener.usage = undefined;
    },
    flush() {
      deltas?.flush();
    },
    text(text) {
      turn.partial += text;
      deltas ??= new StreamDeltas(session, turn);
      deltas.add(text);
      if (session.listeners.size > 0) emit(session, { type: "text_delta", message_id, text });
    },
    reasoning(text) {
      if (session.listeners.size > 0) emit(session, { type: "reasoning_delta", message_id, text });
    },
    used(usage) {
      listener.usage = usage;
    },
  };
  return listener;
}
