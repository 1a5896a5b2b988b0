import type { EventConfig } from "../config/cache/event-config.ts";
import { isRecord } from "../core/base/json.ts";
import { allow, ask, deny } from "../core/events/outcomes.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { HookInternals } from "../core/internals.ts";
import type { PreparedHook } from "../core/registration/registered-hook.ts";
import { agentPermissions } from "../handlers/permissions/agent-permissions.ts";

const SAY = { allow, ask, deny } as const;

/**
 * The permissions of a configuration as a hook, for agents that don't know them. Calls without a rule are the agent's own
 * to decide.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` that names the rule.
 */
export function permissionHook(
  set: Pick<HookInternals, "prepare">,
  { settings: { permissions }, trust }: Pick<EventConfig, "settings" | "trust">,
): PreparedHook {
  const { check } = agentPermissions(permissions);
  const run = async (event: AnyEvent, { signal }: { readonly signal: AbortSignal }) => {
    const { tool_name, tool_input } = event;
    const call = {
      tool_name: typeof tool_name === "string" ? tool_name : "",
      tool_input: isRecord(tool_input) ? tool_input : {},
      cwd: event.cwd,
      workspace: [trust.root],
      mode: "default",
    } as const;
    const { action, reason, rule } = await check(call, signal);
    // The mode decided, and the agent has a mode of its own.
    if (rule === undefined) return undefined;
    const isUnanswered = action === "ask" && permissions.mode === "dont-ask";
    return SAY[isUnanswered ? "deny" : action](reason);
  };
  return set.prepare(
    ["PreToolUse"],
    {
      name: "tenterhook:permissions",
      description: "What the key permissions says.",
      priority: 2,
      timeout: 30,
    },
    { type: "function", run },
  );
}
