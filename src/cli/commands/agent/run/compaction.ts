import type { AgentOptions } from "../../../../agent.ts";
import type { Settings } from "../../../../config.ts";
import { contextWindow } from "../../../../models/context-window.ts";

/** When a conversation is shortened of whose model nobody knows how much it takes. */
const DEFAULT_THRESHOLD = 100_000;

/** What is left of a window is for the answer, and for results that come in one piece. */
const SHARE_OF_WINDOW = 0.75;

/**
 * When and how the agent of a run shortens its conversation: as the configuration says, else before it fills three quarters
 * of the context window of its model, or of a model it may fall back to when that takes less.
 */
export function chosenCompaction(
  { compaction, models }: Pick<Settings, "compaction" | "models">,
  model: string,
): NonNullable<AgentOptions["compaction"]> {
  const windows = [model, ...(models.fallback ?? [])].flatMap((name) => contextWindow(name) ?? []);
  const threshold_tokens =
    windows.length === 0 ? DEFAULT_THRESHOLD : Math.floor(Math.min(...windows) * SHARE_OF_WINDOW);
  return { threshold_tokens, ...compaction };
}
