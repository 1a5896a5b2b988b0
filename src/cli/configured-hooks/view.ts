import type { ConfigDefinition } from "../../config.ts";
import type { Hook } from "../../core/registration/hook.ts";
import { isShadow } from "../../install/judgement.ts";
import { closing, openActivity } from "../../journal/activity/open-activity.ts";
import { projectOf } from "../../journal/projects.ts";
import type { RecordedStats } from "../../project.ts";
import type { Column } from "../command-line/screen/table.ts";
import { guardBy } from "./guard.ts";
import { loadInForce, type Place } from "./load-hooks.ts";

/** A hook as `list` and `show` print it. */
export type HookView = ReturnType<typeof viewOf>;

/** How often hooks ran, and what they did. */
export const COUNTS: readonly Column<Counts>[] = [
  { title: "RUNS", cell: ({ runs }) => String(runs), right: true },
  { title: "DENY", cell: ({ denials }) => String(denials), right: true, counts: true },
  { title: "ASK", cell: ({ asks }) => String(asks), right: true, counts: true },
  { title: "GO ON", cell: ({ keep_goings }) => String(keep_goings), right: true, counts: true },
  { title: "CONTEXT", cell: ({ contexts }) => String(contexts), right: true, counts: true },
  { title: "WOULD", cell: ({ woulds }) => String(woulds), right: true, counts: true },
  { title: "FAIL", cell: ({ failures }) => String(failures), right: true, counts: true },
];

type Counts = Pick<
  RecordedStats,
  "runs" | "denials" | "asks" | "keep_goings" | "contexts" | "woulds" | "failures"
>;

/** Loads the hooks of the working folder, with their statistics in this project. Records nothing. */
export async function hooksInForce(place: Place, since: Date) {
  const { environment, cwd } = place;
  const loaded = await loadInForce(place);
  const { config } = loaded;
  const { judgement } = await guardBy(loaded, place);
  const { activity } = await openActivity(environment);
  const { hooks: counted } = closing(activity, () => activity.stats({ since, project: projectOf(cwd) }));
  const stats = new Map(counted.map((one) => [one.name, one]));
  const definitions = new Map(config.definitions.map((one) => [one.name, one]));
  // Hooks that the set adds itself, to report an invalid configuration, are not listed.
  const hooks = loaded.hooks.list().flatMap((hook) => {
    const defined = definitions.get(hook.name);
    return defined === undefined
      ? []
      : [{ hook, defined, view: viewOf(hook, defined, stats.get(hook.name)) }];
  });
  return { config, hooks, judgement, stats };
}

function viewOf(hook: Hook, defined: ConfigDefinition, stats: RecordedStats | undefined) {
  const { file, line, scope } = hook.origin;
  const { description, problem } = hook;
  const { runs = 0, denials = 0, asks = 0, keep_goings = 0, contexts = 0, woulds = 0 } = stats ?? {};
  const { failures = 0, mean_ms = 0, last_run } = stats ?? {};
  return {
    name: hook.name,
    type: hook.handler,
    events: hook.events,
    scope,
    file,
    line,
    pack: defined.pack,
    description,
    enabled: hook.enabled,
    off_until: defined.off_until,
    trusted: defined.untrusted === undefined,
    gone_files: defined.gone_files,
    mode: isShadow(defined.definition) ? "shadow" : "enforce",
    priority: hook.priority,
    problem,
    ...{ runs, denials, asks, keep_goings, contexts, woulds, failures, mean_ms },
    last_run,
  };
}
