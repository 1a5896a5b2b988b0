import type { Usage } from "../core/contracts/transcript.ts";

/** How full a conversation of so many tokens leaves the window of its model, as `usage` says it. */
export function contextLeft(context_tokens: number, window: number | undefined): Usage {
  if (window === undefined || !Number.isFinite(window) || window <= 0) return { context_tokens };
  const left = Math.max(0, 1 - context_tokens / window);
  return { context_tokens, context_window: window, context_left: Math.round(left * 1e4) / 1e4 };
}
