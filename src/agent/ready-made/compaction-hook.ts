import { rewrite } from "../../core/events/outcomes.ts";
import type { HookEvent, Message } from "../../core/events/payloads.ts";
import type { HookContext } from "../../core/ports.ts";
import type { OutcomeOf } from "../../core/registration/typed-hook.ts";
import { tokensIn } from "../messages/message-tokens.ts";
import type { AgentModel } from "../model/agent-model.ts";
import { SUMMARISE, summaryText } from "../run/compaction/summarise.ts";
import { cutAt } from "../run/session/tokens.ts";
import { askModelText } from "./ask-model.ts";

/** When and how a conversation is shortened. */
export interface CompactionOptions {
  /** Writes the summary. */
  readonly model: AgentModel;
  /** Shorten when the conversation has about more tokens than this. Default 100,000. */
  readonly threshold_tokens?: number;
  /** About how many tokens of the last messages stay as they are. Default 20,000. */
  readonly keep_tokens?: number;
}

interface Summary {
  readonly text: string;
  readonly until: unknown;
}

/**
 * A PreIteration hook that shows the model a summary in place of old messages. The transcript keeps every message.
 * When no summary can be made, the conversation stays as it is.
 */
export function compactionHook({
  model,
  threshold_tokens = 100_000,
  keep_tokens = 20_000,
}: CompactionOptions): (
  event: HookEvent<"PreIteration">,
  context: HookContext,
) => Promise<OutcomeOf<"PreIteration"> | undefined> {
  const summaries = new Map<string, Summary>();
  return async ({ session_id, agent_id = session_id, messages = [] }, { signal }) => {
    let shown = withSummary(messages, summaries.get(agent_id));
    if (tokensIn(shown) > threshold_tokens) {
      const cut = cutAt(shown, keep_tokens);
      const last = shown[cut - 1];
      if (cut > 1 && last !== undefined) {
        const text = await askModelText(model, SUMMARISE, JSON.stringify(shown.slice(0, cut)), signal).catch(
          () => "",
        );
        if (text !== "") summaries.set(agent_id, { text, until: last.id });
        shown = withSummary(messages, summaries.get(agent_id));
      }
    }
    return shown === messages ? undefined : rewrite({ messages: shown });
  };
}

function withSummary(messages: readonly Message[], summary: Summary | undefined): readonly Message[] {
  const at = summary === undefined ? -1 : messages.findIndex(({ id }) => id === summary.until);
  if (summary === undefined || at === -1) return messages;
  return [{ role: "user", content: summaryText(summary.text) }, ...messages.slice(at + 1)];
}
