import { isRecord } from "../../core/base/json.ts";
import type { Transcript } from "../../core/contracts/transcript.ts";
import type { TurnInput } from "../items.ts";

/** What an agent was given, before it is a message of the conversation. */
export interface Unheard {
  readonly turn_id: string;
  readonly input: Extract<TurnInput, { readonly type: "prompt" | "hook_input" }>;
  /** Not yet among what the user typed. */
  readonly untyped?: true;
}

/** What was kept of an agent that was killed before its prompt was a message. */
export function unheardIn({ metadata, messages }: Transcript): Unheard | undefined {
  const { unheard } = metadata;
  if (!isUnheard(unheard)) return undefined;
  const heard = messages.some((message) => "turn_id" in message && message.turn_id === unheard.turn_id);
  return heard ? undefined : unheard;
}

function isUnheard(value: unknown): value is Unheard {
  if (!isRecord(value) || typeof value.turn_id !== "string" || !isRecord(value.input)) return false;
  if (value.untyped !== undefined && value.untyped !== true) return false;
  const { type, text, input } = value.input;
  if (type === "prompt") return typeof text === "string";
  return (
    type === "hook_input" &&
    isRecord(input) &&
    typeof input.hook === "string" &&
    typeof input.text === "string"
  );
}
