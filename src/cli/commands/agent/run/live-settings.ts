import { agentPermissions, type Permissions, type TurnHookSource } from "../../../../agent.ts";
import { loadAgentHooks } from "../../../../config.ts";
import type { OpenedHooks } from "../../../../open.ts";

/**
 * The permissions of a configuration while it changes: each call is judged by the rules that are in force then. What was
 * granted for the session goes with the rules it was granted under.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` for rules that can't be read.
 */
export function followedPermissions(opened: Pick<OpenedHooks, "config">): Required<Permissions> & {
  /** Rules that name a tool nobody knows, as sentences. */
  readonly warnings: readonly string[];
} {
  let { permissions: settings } = opened.config.settings;
  const { mode: started } = settings;
  let judge = agentPermissions(settings);
  const current = (): typeof judge => {
    const { permissions: now } = opened.config.settings;
    if (now !== settings) {
      judge = agentPermissions(now);
      settings = now;
    }
    return judge;
  };
  return {
    warnings: judge.warnings,
    check: (call, signal) => current().check(call, signal),
    // The mode it was started in was chosen knowing the one that was configured then.
    bound: () => {
      const { mode } = opened.config.settings.permissions;
      return mode === started ? undefined : (mode ?? "default");
    },
    grant: (call) => current().grant(call),
    hides: (path, place) => current().hides(path, place),
  };
}

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
