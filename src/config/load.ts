import type { Config } from "./config.ts";
import { discover, type FileScope, type Places } from "./discover.ts";
import { emptyLayer, type Layer } from "./layer.ts";
import { mergeDefinitions, mergeLimits } from "./merge.ts";
import { ConfigError, type Warning } from "./problem.ts";
import { type Reading, readLayer } from "./read-layer.ts";
import { discoverScripts } from "./scripts.ts";

/** Where to look for configuration files. */
export interface LoadOptions extends Places {
  /** The folder the agent works in; the project's files are found by walking up from it. */
  readonly cwd: string;
  /** Where XDG_CONFIG_HOME and HOME are looked up. Default: this process's. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Default `/etc/tenterhook/hooks.yaml`. */
  readonly managedFile?: string;
  readonly signal?: AbortSignal;
}

const FILE_SCOPES: readonly FileScope[] = ["managed", "user", "project", "local"];

/**
 * Reads the configuration of all scopes: managed, user, project, local, and the scripts of the project. Every rule and
 * pattern is compiled and every example checked on the way. No file at all is an empty configuration.
 *
 * @throws ConfigError with everything that is wrong, each with file, line and column: `config_syntax`,
 * `config_unreadable` or `config_invalid`.
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const { signal } = options;
  const reading: Reading = {
    problems: [],
    warnings: [],
    packs: new Set(),
    ...(signal === undefined ? {} : { signal }),
  };
  const { sources, project } = await discover(options, reading);
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
  const definitions = mergeDefinitions(layers, reading.problems, reading.warnings);
  const limits = mergeLimits(layers, reading.warnings);
  if (reading.problems.length > 0) throw new ConfigError(inOrder(reading.problems));
  const timeout = layers.reduce<number | undefined>((last, layer) => layer.timeout ?? last, undefined);
  return {
    files: layers.flatMap(({ files }) => files),
    definitions,
    ...(timeout === undefined ? {} : { timeout }),
    limits,
    sections: layers.flatMap(({ sections }) => sections),
    warnings: inOrder(reading.warnings),
  };
}

/** Problems of one file together and by line; files in the order they were first named. */
function inOrder<Told extends Warning>(problems: readonly Told[]): readonly Told[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  const rank = ({ file, line = 0, column = 0 }: Warning) => [files.indexOf(file), line, column];
  return [...problems].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const at = left.findIndex((part, index) => part !== right[index]);
    return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
  });
}
