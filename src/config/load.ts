import { effectiveConfig } from "./combine/apply-scopes-and-trust.ts";
import type { Config } from "./config.ts";
import type { Places } from "./find/discover.ts";
import { Inputs } from "./inputs/inputs.ts";

/** Where to look for configuration files. */
export interface LoadOptions extends Places {
  readonly signal?: AbortSignal;
}

/**
 * Reads the configuration of all scopes: managed, user, project, local, and the scripts of the project. Every rule and
 * pattern is compiled and every example checked on the way. No file at all is an empty configuration. What of the
 * project this user has not trusted is there, but marked, and takes no effect.
 *
 * @throws ConfigError with everything that is wrong, each with file, line and column: `config_syntax`,
 * `config_unreadable` or `config_invalid`.
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  // Loaded here, since the parsers and the schema take longer than everything that can do without them.
  const { readConfig } = await import("./read/read-config.ts");
  const inputs = new Inputs();
  return effectiveConfig(await readConfig(options, inputs, options.signal), options.environment, inputs);
}

/**
 * What the committed files of the project say to everybody: no other scope counts, nor whether this user trusts them. What
 * is written into the project's files for the team must follow from this alone.
 *
 * @throws ConfigError as `loadConfig` does.
 */
export async function loadCommittedConfig(options: LoadOptions): Promise<Config> {
  const { readConfig } = await import("./read/read-config.ts");
  const inputs = new Inputs();
  const { agent: _, ...read } = await readConfig(options, inputs, options.signal);
  const units = read.units
    .filter(({ kind }) => kind === "project")
    .map((unit) => ({ ...unit, layers: unit.layers.filter(({ scope }) => scope === "project") }));
  return effectiveConfig({ ...read, units }, options.environment, inputs, () => () => undefined);
}

/**
 * What one file says, for trying a policy that is not in force. Its rules count; nothing that it names is started or loaded.
 *
 * @throws ConfigError as `loadConfig` does.
 */
export async function loadConfigFile(
  file: string,
  { environment, signal }: Pick<LoadOptions, "environment" | "signal">,
): Promise<Config> {
  const { readOnlyFile } = await import("./read/read-config.ts");
  const { handlersOf } = await import("./schema/definition.ts");
  const inputs = new Inputs();
  const read = await readOnlyFile(file, inputs, signal);
  const config = effectiveConfig(read, environment, inputs, () => () => undefined);
  const definitions = config.definitions.map((hook) =>
    handlersOf(hook.definition, []).every(([{ type }]) => type === "inline")
      ? hook
      : { ...hook, untrusted: "its file is only tried" },
  );
  return { ...config, definitions };
}

/** The JSON Schema of configuration files, made from the tables that files are checked with. */
export async function configJsonSchema(): Promise<object> {
  const { makeJsonSchema } = await import("./schema/json-schema.ts");
  return makeJsonSchema();
}
