import type { PermissionMode } from "../../core/contracts/tool.ts";
import { stricterMode } from "../../core/contracts/tool.ts";
import type { Transcript } from "../../core/contracts/transcript.ts";

/**
 * A kept conversation whose modes, the present one and the one that leaving plan mode leads back to, are no looser than
 * this one. What nobody has kept stays open.
 */
export function boundModes(kept: Transcript, bound: PermissionMode): Transcript {
  const { mode, mode_before } = kept.metadata;
  if (mode === undefined) return kept;
  // Plan mode itself is left when a human agrees to a plan.
  const after = bound === "plan" ? "default" : bound;
  return {
    ...kept,
    metadata: {
      ...kept.metadata,
      mode: stricterMode(mode, bound),
      ...(mode_before === undefined ? {} : { mode_before: stricterMode(mode_before, after) }),
    },
  };
}
