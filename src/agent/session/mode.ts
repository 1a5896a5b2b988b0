import type { PermissionMode } from "../../core/contracts/tool.ts";
import { stricterMode } from "../../core/contracts/tool.ts";
import type { AgentSession } from "./session.ts";

/** The mode an agent's calls are judged in: its own, or a stricter one that permissions hold it to now. */
export function modeOf({ mode, options }: AgentSession): PermissionMode {
  const bound = options.permissions?.bound?.();
  return bound === undefined ? mode : stricterMode(mode, bound);
}
