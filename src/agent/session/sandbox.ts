import { TenterhookError } from "../../core/base/errors.ts";
import { SANDBOX_MODES, type SandboxMode } from "../../core/contracts/tool.ts";
import type { AgentSession } from "./session.ts";

/**
 * Where commands run now.
 *
 * @throws TenterhookError `invalid_option` when whoever is asked for it answers something else: then nothing must run.
 */
export function sandboxOf({ options: { sandbox = "off" } }: AgentSession): SandboxMode {
  if (typeof sandbox !== "function") return sandbox;
  const given: unknown = sandbox();
  const mode = SANDBOX_MODES.find((name) => name === given);
  if (mode !== undefined) return mode;
  throw new TenterhookError(
    "invalid_option",
    `The sandbox was said to be ${String(given)}; it must be ${SANDBOX_MODES.slice(0, -1).join(", ")} or ${SANDBOX_MODES.at(-1)}.`,
  );
}
