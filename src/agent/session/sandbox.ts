import { TenterhookError } from "../../core/base/errors.ts";
import type { SandboxMode } from "../../core/ports.ts";
import type { AgentSession } from "./session.ts";

/** Where commands can run. */
export const SANDBOXES = ["off", "read-only", "workspace-write"] as const satisfies readonly SandboxMode[];

/**
 * Where commands run now.
 *
 * @throws TenterhookError `invalid_option` when whoever is asked for it answers something else: then nothing must run.
 */
export function sandboxOf({ parts: { sandbox } }: AgentSession): SandboxMode {
  if (typeof sandbox !== "function") return sandbox;
  const given: unknown = sandbox();
  const mode = SANDBOXES.find((name) => name === given);
  if (mode !== undefined) return mode;
  throw new TenterhookError(
    "invalid_option",
    `The sandbox was said to be ${String(given)}; it must be ${SANDBOXES.slice(0, -1).join(", ")} or ${SANDBOXES.at(-1)}.`,
  );
}
