import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { loadConfigFile } from "../../config/load.ts";
import { type Config, loadConfig } from "../../config.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import type { Hooks } from "../../core/hooks.ts";
import { type TriedHooks, triedSet, tryHooks } from "../tried-hooks.ts";

/**
 * Hooks to test: a hook set, the name of a configuration file, or of a folder, which means the configuration in force
 * there. The modules of a folder are run as far as you have trusted them; those of a single file are not.
 */
export type HookSource = Hooks | string;

/** How hooks are opened for tests. */
export interface SourceOptions {
  /**
   * True: hooks that are programs, servers, models and agents are asked as well, as far as you have trusted them. Default
   * false. Only for a folder: for a file that is merely named nobody can have trusted them, and a hook set is asked as it is.
   */
  readonly run?: boolean;
  /** The folder of events that name none. Default: that of the project, or of this process for a hook set. */
  readonly cwd?: string;
  /** Where the user's configuration is looked for. Default: this process's variables. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** A source made ready. Its hooks are asked about one event at a time. */
export interface OpenedSource {
  readonly tried: TriedHooks;
  readonly cwd: string;
  /** Absent for a hook set. */
  readonly config?: Config;
  /** Does something once everything before it is done. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * @throws ConfigError for a configuration that can't be used; TenterhookError `invalid_option` for a name that leads
 *   nowhere, and for `run` with anything but a folder.
 */
export async function openSource(source: HookSource, options: SourceOptions): Promise<OpenedSource> {
  const { run = false, cwd } = options;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  if (typeof source !== "string") {
    if (run) throw new TenterhookError("invalid_option", "A hook set is asked as it is: leave out `run`.");
    return { tried: triedSet(source), cwd: cwd ?? process.cwd(), inTurn };
  }
  const config = await configOf(source, options);
  return { tried: await tryHooks(config, { run }), cwd: cwd ?? config.trust.root, config, inTurn };
}

async function configOf(name: string, { run, environment }: SourceOptions): Promise<Config> {
  const path = resolve(name);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new TenterhookError("invalid_option", `There is no file or folder ${JSON.stringify(name)}.`);
  const places = withoutUndefined({ environment });
  if (found.isDirectory()) return loadConfig({ cwd: path, ...places });
  if (run === true)
    throw new TenterhookError(
      "invalid_option",
      "`run` asks only the programs of a configuration in force, which you have trusted. Name its folder.",
    );
  return loadConfigFile(path, places);
}
