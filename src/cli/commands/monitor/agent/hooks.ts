import { adapterFor } from "../../../../adapters/agents.ts";
import { type Prompt, promptOfNotification, promptOfTool } from "../../../../monitor/prompt.ts";
import { notifyMonitor } from "../../../../monitor/spool.ts";
import type { AgentHook } from "./agent-hook.ts";
import { stopHook } from "./stop.ts";

/** The hooks that `tenterhook agent settings` installs, by name. */
export const AGENT_HOOKS: ReadonlyMap<string, AgentHook> = new Map<string, AgentHook>([
  ["pretooluse", (payload, site) => report(promptOfTool(payload), payload, site)],
  ["notify", (payload, site) => report(promptOfNotification(payload), payload, site)],
  ["stop", stopHook],
]);

async function report(
  prompt: Prompt | undefined,
  ...[payload, site]: Parameters<AgentHook>
): Promise<undefined> {
  if (prompt === undefined) return undefined;
  const context = (await adapterFor(payload, site.environment)).lastText?.(payload);
  notifyMonitor(
    { type: "agent:prompt", ...prompt, ...(context === undefined ? {} : { context }) },
    { payload, ...site },
  );
  return undefined;
}
