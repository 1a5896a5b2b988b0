import { discover, type FileScope, type FoundUnit, type Places } from "../find/discover.ts";
import { readAgentFile } from "../find/hook-toml.ts";
import { discoverScripts } from "../find/scripts.ts";
import { emptyLayer, type Layer, type ReadConfig, type ReadUnit, rootOf } from "../find/unit.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Inspect } from "../parse/inspect.ts";
import { ConfigError, inOrder, problemsOf, type Warning } from "../parse/problem.ts";
import { newReading, readLayer } from "./read-layer.ts";

/**
 * Reads and checks the files of all scopes. What was looked at on the way is in `inputs`, also when it throws.
 *
 * @throws ConfigError with everything that is wrong.
 */
export async function readConfig(
  places: Places,
  inputs: Inputs,
  signal: AbortSignal | undefined,
  inspect?: Inspect,
): Promise<ReadConfig> {
  const read = await readUnits(places, inputs, signal, inspect);
  const problems = read.units.flatMap((unit) => unit.problems);
  if (problems.length > 0) {
    const warnings = [...read.warnings, ...read.units.flatMap((unit) => unit.warnings)];
    throw new ConfigError(inOrder(problems), inOrder(warnings));
  }
  return read;
}

/**
 * Reads one file, and what it uses, as the only one of a project.
 *
 * @throws ConfigError with everything that is wrong.
 */
export async function readOnlyFile(
  file: string,
  inputs: Inputs,
  signal: AbortSignal | undefined,
): Promise<ReadConfig> {
  const root = rootOf(file);
  const sources = [{ scope: "project", file, root }] as const;
  const found = { kind: "project", root, sources, problems: [], warnings: [] } as const;
  const unit = await readUnit(found, inputs, signal, undefined);
  if (unit.problems.length > 0) throw new ConfigError(inOrder(unit.problems), inOrder(unit.warnings));
  return { cwd: root, root, folders: [root], units: [unit], warnings: [] };
}

/**
 * Reads the files of all scopes; what is wrong in one unit is recorded there and stops no other.
 *
 * @throws ConfigError `config_unreadable` when the working folder is not there.
 */
export async function readUnits(
  places: Places,
  inputs: Inputs,
  signal: AbortSignal | undefined,
  inspect?: Inspect,
): Promise<Omit<ReadConfig, "units"> & { readonly units: readonly ReadUnit[] }> {
  const {
    units: found,
    cwd,
    root,
    folders,
    agent_folder: agentFolder,
    warnings,
  } = await discover(places, inputs);
  const units: ReadUnit[] = [];
  for (const unit of found) units.push(await readUnit(unit, inputs, signal, inspect));
  const notices = [...warnings];
  const agent = agentFolder && (await readAgent(agentFolder, inputs, notices, signal));
  return { cwd, root, folders, units, ...(agent ? { agent } : {}), warnings: notices };
}

async function readUnit(
  { kind, root, sources, scripts, problems, warnings }: FoundUnit,
  inputs: Inputs,
  signal: AbortSignal | undefined,
  inspect: Inspect | undefined,
): Promise<ReadUnit> {
  const reading = newReading(inputs, signal, inspect);
  reading.problems.push(...problems);
  reading.warnings.push(...warnings);
  const layers: Layer[] = [];
  const scopes: readonly FileScope[] = kind === "project" ? ["project", "local"] : [kind];
  for (const scope of scopes) {
    const layer = emptyLayer(scope, root);
    for (const source of sources) {
      signal?.throwIfAborted();
      if (source.scope === scope) await readLayer(source, layer, reading);
    }
    if (scope === "project" && scripts !== undefined) {
      for (const { file, definition } of await discoverScripts(scripts, root, reading))
        layer.entries.push({ definition, place: { file, line: 1, column: 1 }, root });
    }
    layers.push(layer);
  }
  // Only duplicate names need all files to be found.
  return { kind, root, layers, warnings: reading.warnings, problems: reading.problems, blank: reading.blank };
}

/** An invalid `.agent/hook.toml` disables its own programs and nothing else. */
async function readAgent(
  folder: string,
  inputs: Inputs,
  warnings: Warning[],
  signal: AbortSignal | undefined,
): Promise<ReadConfig["agent"]> {
  try {
    return await readAgentFile(folder, signal, inputs);
  } catch (error) {
    warnings.push(...problemsOf(error).map(({ code: _, ...notice }) => notice));
    return undefined;
  }
}
