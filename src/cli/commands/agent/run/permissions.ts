import { agentPermissions, type Permissions } from "../../../../agent.ts";
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
