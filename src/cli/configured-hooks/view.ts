import type { Config, ConfigDefinition } from "../../config.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import type { Hook } from "../../core/registration/hook.ts";
import { type RecordedStats, readJournal, recordedStats } from "../../open.ts";
import type { Invocation } from "../command-line/command.ts";
import { loadHooks } from "./load-hooks.ts";
import { recordsOfProject } from "./recorded-projects.ts";

export interface HookView {
  readonly name: string;
  readonly type: string;
  readonly events: readonly string[];
  readonly scope: string;
  readonly file?: string;
  readonly line?: number;
  readonly pack?: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly trusted: boolean;
  readonly priority: number;
  /** Why it will certainly fail. */
  readonly problem?: string;
  readonly runs: number;
  readonly denials: number;
  readonly asks: number;
  readonly failures: number;
  readonly mean_ms: number;
  readonly last_run?: string;
}

export interface HooksInForce {
  readonly config: Config;
  readonly hooks: readonly {
    readonly view: HookView;
    readonly hook: Hook;
    readonly defined: ConfigDefinition;
  }[];
}

/** Loads the hooks of the working folder, with their statistics in this project. Records nothing. */
export async function hooksInForce(invocation: Invocation, since: Date): Promise<HooksInForce> {
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

function viewOf(hook: Hook, defined: ConfigDefinition, stats: RecordedStats | undefined): HookView {
  const { file, line, scope } = hook.origin;
  return {
    name: hook.name,
    type: hook.handler,
    events: hook.events,
    scope,
    ...withoutUndefined({ file, line, pack: defined.pack, description: hook.description }),
    enabled: hook.enabled,
    trusted: defined.untrusted === undefined,
    priority: hook.priority,
    ...(hook.problem === undefined ? {} : { problem: hook.problem }),
    runs: stats?.runs ?? 0,
    denials: stats?.denials ?? 0,
    asks: stats?.asks ?? 0,
    failures: stats?.failures ?? 0,
    mean_ms: stats?.mean_ms ?? 0,
    ...(stats === undefined ? {} : { last_run: stats.last_run }),
  };
}
