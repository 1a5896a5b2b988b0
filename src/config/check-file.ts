import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { mergeDefinitions } from "./combine/merge.ts";
import type { ConfigDefinition } from "./config.ts";
import { readAgentHooks } from "./find/hook-toml.ts";
import { emptyLayer, rootOf } from "./find/unit.ts";
import { Inputs } from "./inputs/inputs.ts";
import type { Inspect } from "./parse/inspect.ts";
import { inOrder, type Problem, problemsOf, type Warning } from "./parse/problem.ts";
import { newReading, type Reading, readLayer } from "./read/read-layer.ts";

export interface CheckedFile {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
  readonly definitions: readonly ConfigDefinition[];
}

interface CheckOptions {
  /** What the configuration file is about to say, instead of what it says. */
  readonly text?: string;
  readonly signal?: AbortSignal;
  readonly inspect?: Inspect;
}

/** Checks one configuration file by itself, or a `.agent/hook.toml`. Never throws for what is in it. */
export async function checkFile(
  path: string,
  cwd: string,
  { text, signal, inspect }: CheckOptions = {},
): Promise<CheckedFile> {
  const file = resolve(cwd, path);
  if (text === undefined && (await stat(file).catch(() => undefined)) === undefined)
    return unread([{ code: "config_unreadable", file, message: "There is no such file." }]);
  if (basename(file) === "hook.toml")
    return readAgentHooks(file, signal).then(
      () => unread([]),
      (error: unknown) => unread(problemsOf(error)),
    );
  const reading: Reading = { ...newReading(new Inputs(), signal, inspect), text };
  const root = rootOf(file);
  const layer = emptyLayer("project", root);
  await readLayer({ scope: "project", file, root }, layer, reading);
  const definitions = mergeDefinitions([layer], () => ({}), reading.problems, reading.warnings);
  return { problems: inOrder(reading.problems), warnings: inOrder(reading.warnings), definitions };
}

function unread(problems: readonly Problem[]): CheckedFile {
  return { problems, warnings: [], definitions: [] };
}
