import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { discover, type FileScope, type Places } from "./discover.ts";
import { type AgentHooks, readAgentHooks } from "./hook-toml.ts";
import type { Inputs } from "./inputs.ts";
import { emptyLayer, type Layer } from "./layer.ts";
import { mergeDefinitions } from "./merge.ts";
import { ConfigError, inOrder, problemsOf, type Warning } from "./problem.ts";
import { type Reading, readLayer } from "./read-layer.ts";
import { discoverScripts } from "./scripts.ts";

/** What the files of all scopes say, before trust and the order of scopes are considered. Plain data. */
export interface ReadConfig {
  /** The folder the agent works in, links followed. */
  readonly cwd: string;
  readonly project?: { readonly root: string };
  readonly layers: readonly Layer[];
  readonly agent?: { readonly file: string; readonly hooks: AgentHooks };
  readonly warnings: readonly Warning[];
}

const FILE_SCOPES: readonly FileScope[] = ["managed", "user", "project", "local"];

/**
 * Reads and checks the files of all scopes. What was looked at on the way is in `inputs`, also when it throws.
 *
 * @throws ConfigError with everything that is wrong.
 */
export async function readConfig(
  places: Places,
  inputs: Inputs,
  signal: AbortSignal | undefined,
): Promise<ReadConfig> {
  const reading: Reading = {
    problems: [],
    warnings: [],
    inputs,
    packs: new Set(),
    ...(signal === undefined ? {} : { signal }),
  };
  const { sources, project, cwd } = await discover(places, reading);
  const layers: Layer[] = [];
  for (const scope of FILE_SCOPES) {
    const layer = emptyLayer(scope);
    for (const source of sources) {
      signal?.throwIfAborted();
      if (source.scope === scope) await readLayer(source, layer, reading);
    }
    if (scope === "project" && project?.scripts !== undefined) {
      for (const { file, definition } of await discoverScripts(project.scripts, project.root, reading))
        layer.entries.push({ definition, place: { file, line: 1, column: 1 }, root: project.root });
    }
    layers.push(layer);
  }
  const agent = await readAgent(cwd, reading);
  // Names that are taken twice are the only thing that shows when the scopes meet.
  const definitions = mergeDefinitions(layers, () => undefined, reading.problems, []);
  if (reading.problems.length > 0) {
    const { templateWarnings } = await import("./template-fields.ts");
    const warnings = [...reading.warnings, ...definitions.flatMap(templateWarnings)];
    throw new ConfigError(inOrder(reading.problems), inOrder(warnings));
  }
  return {
    cwd,
    ...(project === undefined ? {} : { project: { root: project.root } }),
    layers,
    ...(agent === undefined ? {} : { agent }),
    warnings: reading.warnings,
  };
}

/** A bad `.agent/hook.toml` takes its own programs out and nothing else. */
async function readAgent(cwd: string, { inputs, warnings, signal }: Reading): Promise<ReadConfig["agent"]> {
  const file = join(cwd, ".agent", "hook.toml");
  inputs.see("file", file);
  if ((await lstat(file).catch(() => undefined)) === undefined) return undefined;
  try {
    return { file, hooks: await readAgentHooks(file, signal) };
  } catch (error) {
    warnings.push(...problemsOf(error).map(({ code: _, ...told }) => told));
    return undefined;
  }
}
