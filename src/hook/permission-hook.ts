import type { EventConfig } from "../config/cache/event-config.ts";
import { isRecord } from "../core/base/json.ts";
import type { Tool } from "../core/contracts/tool.ts";
import { allow, ask, deny } from "../core/events/outcomes.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { HookInternals } from "../core/internals.ts";
import type { PreparedHook } from "../core/registration/registered-hook.ts";
import { agentPermissions } from "../handlers/permissions/agent-permissions.ts";

export const PERMISSION_HOOK = "tenterhook:permissions";
const OWN_MODE = "So it is in tenterhook run; for others, add --agent.";
const SAY = { allow, ask, deny } as const;

/**
 * The permissions of a configuration as a hook, for agents that don't know them. Calls without a rule are the agent's own
 * to decide.
 *
 * @param ownTool the tools of our own agent by name: then what its mode refuses is refused too.
 * @throws TenterhookError `bad_permission` or `bad_pattern` that names the rule.
 */
export function permissionHook(
  set: Pick<HookInternals, "prepare">,
  { settings: { permissions }, trust }: Pick<EventConfig, "settings" | "trust">,
  ownTool?: (name: string) => Tool | undefined,
): PreparedHook {
  const { check } = agentPermissions(permissions);
  const run = async (event: AnyEvent, { signal }: { readonly signal: AbortSignal }) => {
    const { tool_name: name, tool_input } = event;
    const tool_name = typeof name === "string" ? name : "";
    const tool = ownTool?.(tool_name);
    const call = {
      tool_name,
      tool,
      tool_input: isRecord(tool_input) ? tool_input : {},
      cwd: event.cwd,
      workspace: [trust.root],
      mode: ownTool === undefined ? "default" : (permissions.mode ?? "default"),
    } as const;
    const { action, reason, rule } = await check(call, signal);
    // The mode decided, and other agents have a mode of their own.
    if (rule === undefined)
      return ownTool !== undefined && action === "deny" ? deny(`${reason} ${OWN_MODE}`) : undefined;
    const isUnanswered = action === "ask" && permissions.mode === "dont-ask";
    return SAY[isUnanswered ? "deny" : action](reason);
  };
  return set.prepare(
    ["PreToolUse"],
    {
      name: PERMISSION_HOOK,
      description: "What the key permissions says.",
      priority: 2,
      timeout: 30,
    },
    { type: "function", run },
  );
}
