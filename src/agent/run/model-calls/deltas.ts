import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import { ignore } from "../../../core/base/error-text.ts";
import type { AnswerListener, OpenCall } from "../../model/stream.ts";
import { fireAnyway } from "../session/fire.ts";
import { emit, type Turn } from "../session/session.ts";

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
export function streamDeltas(turn: Turn, { id: message_id, with_calls, guarded }: Answer) {
  const { session } = turn;
  /** The ids of the calls whose input streams. */
  const calls = new Map<OpenCall, string>();
  const ownId = session.conversation.ownIds();
  let forHooks = "";
  let flushedAt: number | undefined;
  let usage: LanguageModelV3Usage | undefined;
  const flush = (): void => {
    if (forHooks === "") return;
    const text = forHooks;
    forHooks = "";
    flushedAt = session.clock.monotonic();
    ignore(fireAnyway(session, "StreamDelta", { text, usage: turn.usage }, turn.firing));
  };
  const listener: AnswerListener = {
    text(text) {
      const now = session.clock.monotonic();
      flushedAt ??= now;
      if (!guarded) turn.partial += text;
      forHooks += text;
      if (forHooks.length >= CHARACTERS || now - flushedAt >= MILLISECONDS) flush();
      if (!guarded) emit(session, { type: "text_delta", message_id, text });
    },
    reasoning(text) {
      if (!guarded) emit(session, { type: "reasoning_delta", message_id, text });
    },
    input(call, text) {
      if (!with_calls) return;
      const tool_use_id = calls.get(call) ?? ownId(call.id);
      calls.set(call, tool_use_id);
      const { tool_name } = call;
      if (text !== "" && session.listeners.size > 0)
        emit(session, { type: "tool_input_delta", message_id, tool_use_id, tool_name, text });
    },
    used(counts) {
      usage = counts;
    },
  };
  return {
    listener,
    /** Gives hooks the text they have not seen yet. */
    flush,
    /** What the answer has used, if the provider reports it. */
    usage: () => usage,
  };
}
