import type { SteerResult } from "../items.ts";
import { type PromptInput, partsOf } from "../messages/prompt-input.ts";
import { append, inject, userMessage } from "./session/append.ts";
import type { AgentSession, Turn } from "./session/session.ts";
import { submitPrompt } from "./submit-prompt.ts";

/** Gives the running turn a message. Resolves when it has joined, or cannot any more. */
export function steer({ inbox }: AgentSession, prompt: PromptInput): Promise<SteerResult> {
  return new Promise((settle) => {
    inbox.steering.push({ prompt, settle });
  });
}

/**
 * Adds the messages that wait, after UserPromptSubmit hooks. Returns false when none joins.
 *
 * @throws TurnEnded when a hook ends the run, the store failed or the turn is interrupted; then no message is lost.
 */
export async function joinSteering(turn: Turn): Promise<boolean> {
  const { session } = turn;
  const { steering } = session.inbox;
  let joined = false;
  for (let first = steering[0]; first !== undefined; first = steering[0]) {
    const submitted = await submitPrompt(turn, first.prompt);
    steering.shift();
    if ("refused" in submitted) {
      first.settle({ status: "denied", reason: submitted.refused });
      continue;
    }
    joined = true;
    try {
      await append(session, userMessage(session, "user", partsOf(submitted.prompt)));
    } finally {
      // A message that the store does not take yet is in the conversation all the same.
      first.settle({ status: "joined" });
    }
    await inject(session, submitted.context);
  }
  return joined;
}

/** Tells the senders of messages that came too late. */
export function endSteering({ inbox }: AgentSession): void {
  for (const { settle } of inbox.steering.splice(0))
    settle({ status: "not_joined", reason: "The run ended before its next step." });
}
