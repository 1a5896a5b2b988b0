import type { TurnHookSource } from "../../../../agent.ts";
import { loadAgentHooks } from "../../../../config.ts";
import type { OpenedHooks } from "../../../../open.ts";

/**
 * The programs of `.agent/hook.toml` as they are at each turn. They count as trusted when every one of them is; otherwise
 * whoever can be asked is asked, and without anybody none runs.
 */
export function followedTurnHooks(opened: Pick<OpenedHooks, "config" | "refresh">): TurnHookSource {
  return async (workspace, signal) => {
    const written = await loadAgentHooks(workspace, signal);
    if (written === undefined) return undefined;
    await opened.refresh();
    const trusted = opened.config.agent_hooks?.hooks ?? {};
    const all = Object.keys(written).every((name) => Object.hasOwn(trusted, name));
    return all ? { ...trusted, trusted: true } : { ...written, trusted: false };
  };
}
