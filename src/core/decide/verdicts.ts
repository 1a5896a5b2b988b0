import { sameJson } from "../base/json.ts";
import type { Action } from "../events/effects.ts";
import { ACTION_RANK } from "./summarise.ts";

/** A hook's verdict and the input it is about. */
export interface Verdict {
  readonly action: Exclude<Action, "continue">;
  readonly reason: string | undefined;
  readonly input: unknown;
}

/** The strongest action and its reasons, each once, one a line. An allow counts only for the input it was given to. */
export function mergeVerdicts(
  verdicts: readonly Verdict[],
  finalInput: unknown,
): { readonly action: Action; readonly reason?: string } {
  const counting = verdicts.filter(({ action, input }) => action !== "allow" || sameJson(input, finalInput));
  let strongest: Action = "continue";
  for (const { action } of counting) if (ACTION_RANK[action] > ACTION_RANK[strongest]) strongest = action;
  const reasons = new Set<string>();
  for (const { action, reason } of counting) if (action === strongest && reason) reasons.add(reason);
  return reasons.size === 0 ? { action: strongest } : { action: strongest, reason: [...reasons].join("\n") };
}
