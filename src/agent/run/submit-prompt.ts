import { attachmentOf } from "../../core/contracts/content.ts";
import type { ContextItem } from "../../core/events/outcomes.ts";
import { filesOf, type PromptInput, withText } from "../messages/prompt-input.ts";
import { takenOver } from "../turn-ended.ts";
import { fire } from "./session/fire.ts";
import type { Turn } from "./session/session.ts";

/** What hooks make of a prompt: what the model gets, with their context, or a refusal. */
export type SubmittedPrompt =
  | { readonly prompt: PromptInput; readonly context: readonly ContextItem[] }
  | { readonly refused: string };

/**
 * Fires UserPromptSubmit.
 *
 * @throws TurnEnded when a hook ends the run, another process has the agent or the turn is interrupted.
 */
export async function submitPrompt(turn: Turn, input: PromptInput): Promise<SubmittedPrompt> {
  const { text } = input;
  if (turn.session.storage.taken_over) throw takenOver();
  const attachments = filesOf(input).map(attachmentOf);
  const fields = attachments.length === 0 ? { prompt: text } : { prompt: text, attachments };
  const { action, reason, context, prompt } = await fire(turn, "UserPromptSubmit", fields);
  if (action === "deny") return { refused: reason ?? "A hook refused the prompt." };
  return { prompt: prompt === undefined ? input : withText(input, prompt), context };
}
