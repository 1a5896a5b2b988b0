import { agentPermissions, type Permissions, type TurnHookSource } from "../../../../agent.ts";
import { loadAgentFile } from "../../../../config/trust/turn-hooks.ts";
import type { OpenedHooks } from "../../../../project.ts";

/**
 * The permissions of the current configuration: each call is checked against the rules in force then. Grants for the
 * session end with the rules they were given under.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` for invalid rules.
 */
export function followedPermissions(opened: Pick<OpenedHooks, "config">): Required<
  Omit<Permissions, "tools">
> & {
  /** Rules with an unknown tool, as sentences. */
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
    // The initial mode was chosen with the configured one in mind.
    bound: () => {
      const { mode } = opened.config.settings.permissions;
      return mode === started ? undefined : (mode ?? "default");
    },
    grant: (call) => current().grant(call),
    hides: (path, place) => current().hides(path, place),
  };
}

/**
 * The programs of `.agent/hook.toml` at each turn. They are trusted when all of them are; otherwise the user is asked,
 * and without a user none runs.
 */
export function followedTurnHooks(opened: Pick<OpenedHooks, "config" | "refresh">): TurnHookSource {
  return async (workspace, signal) => {
    const agent = await loadAgentFile(workspace, signal);
    if (agent === undefined) return undefined;
    const { folder, hooks: written } = agent;
    await opened.refresh();
    const trusted = opened.config.agent_hooks?.hooks ?? {};
    const all = Object.keys(written).every((name) => Object.hasOwn(trusted, name));
    return { ...(all ? trusted : written), folder, trusted: all };
  };
}
