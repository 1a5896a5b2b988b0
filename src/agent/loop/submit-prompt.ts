import type { ContextItem } from "../../core/events/outcomes.ts";
import { fire } from "../session/fire.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { storeFailed, takenOver } from "./turn-ended.ts";

/** What hooks make of a prompt: the text for the model with their context, or a refusal. */
export type SubmittedPrompt =
  | { readonly text: string; readonly context: readonly ContextItem[] }
  | { readonly refused: string };

/**
 * Stores what the user typed, unless that was done `again`, and fires UserPromptSubmit.
 *
 * @throws TurnEnded when a hook ends the run, the store failed or the turn is interrupted.
 */
export async function submitPrompt(
  session: AgentSession,
  turn: Turn,
  text: string,
  again = false,
): Promise<SubmittedPrompt> {
  if (!again) await keepTyped(session, text);
  const { action, reason, context, prompt } = await fire(session, turn, "UserPromptSubmit", { prompt: text });
  if (action === "deny") return { refused: reason ?? "A hook refused the prompt." };
  return { text: prompt ?? text, context };
}

async function keepTyped({ options, identity, storage }: AgentSession, text: string): Promise<void> {
  if (storage.taken_over) throw takenOver();
  try {
    await options.store?.typed?.(text, identity);
  } catch (cause) {
    throw storeFailed("What you typed", cause);
  }
}
