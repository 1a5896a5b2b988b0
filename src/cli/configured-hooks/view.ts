import type { ConfigDefinition } from "../../config.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import type { Hook } from "../../core/registration/hook.ts";
import { type RecordedStats, readJournal, recordedStats } from "../../project.ts";
import type { Invocation } from "../command-line/command.ts";
import { loadHooks } from "./load-hooks.ts";
import { recordsOfProject } from "./recorded-projects.ts";

/** A hook as `list` and `show` print it. */
export type HookView = ReturnType<typeof viewOf>;

/** Loads the hooks of the working folder, with their statistics in this project. Records nothing. */
export async function hooksInForce(invocation: Invocation, since: Date) {
  const { environment, signal, cwd } = invocation;
  const loaded = await loadHooks(invocation);
  const { config } = loaded;
  const records = recordsOfProject(readJournal({ environment, since, signal }), cwd);
  const stats = new Map((await recordedStats(records)).map((one) => [one.name, one]));
  const definitions = new Map(config.definitions.map((one) => [one.name, one]));
  // Hooks that the set adds itself, to report an invalid configuration, are not listed.
  const hooks = loaded.hooks.list().flatMap((hook) => {
    const defined = definitions.get(hook.name);
    return defined === undefined
      ? []
      : [{ hook, defined, view: viewOf(hook, defined, stats.get(hook.name)) }];
  });
  return { config, hooks };
}

function viewOf(hook: Hook, defined: ConfigDefinition, stats: RecordedStats | undefined) {
  const { file, line, scope } = hook.origin;
  const { description, problem } = hook;
  return {
    name: hook.name,
    type: hook.handler,
    events: hook.events,
    scope,
    ...withoutUndefined({ file, line, pack: defined.pack, description }),
    enabled: hook.enabled,
    ...(hook.mode === "shadow" ? { mode: hook.mode } : {}),
    trusted: defined.untrusted === undefined,
    priority: hook.priority,
    ...withoutUndefined({ problem }),
    runs: stats?.runs ?? 0,
    denials: stats?.denials ?? 0,
    asks: stats?.asks ?? 0,
    keep_goings: stats?.keep_goings ?? 0,
    contexts: stats?.contexts ?? 0,
    failures: stats?.failures ?? 0,
    mean_ms: stats?.mean_ms ?? 0,
    ...withoutUndefined({ last_run: stats?.last_run }),
  };
}
