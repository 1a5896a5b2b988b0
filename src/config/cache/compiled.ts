import { join } from "node:path";
import { isRecord, sameJson } from "../../core/json.ts";
import { cacheFolder } from "../../node/cache-folder.ts";
import type { Config } from "../config.ts";
import type { Places } from "../discover.ts";
import { type Input, stillHolds } from "../inputs.ts";
import { writeKept } from "./keep.ts";
import { questionName, questionOf } from "./question.ts";
import { readSealed, writeSealed } from "./sealed.ts";

/** A configuration with everything on disk that it depends on. */
export interface Compiled {
  readonly config: Config;
  readonly inputs: readonly Input[];
}

function cacheFile(places: Places): string {
  return join(cacheFolder(places.environment), `config-${questionName(questionOf(places))}.json`);
}

/**
 * The compiled configuration, when there is one and every byte it was made of is still the same. `undefined` for
 * anything else. Never throws.
 */
export function readCompiled(places: Places): Compiled | undefined {
  const value = readSealed(cacheFile(places));
  if (!isCompiled(value) || !sameJson(value.question, questionOf(places))) return undefined;
  const { config, inputs } = value;
  return inputs.every(stillHolds) ? { config, inputs } : undefined;
}

/** Keeps a compiled configuration for the next process. A cache that can't be written is none. */
export async function writeCompiled(places: Places, { config, inputs }: Compiled): Promise<void> {
  const value = { question: questionOf(places), inputs, config };
  try {
    // What JSON can't carry unchanged, such as a date of TOML, is read from its file each time.
    if (!sameJson(JSON.parse(JSON.stringify(config)), config)) return;
    await writeSealed(cacheFile(places), value);
    await writeKept(places, { config, inputs });
  } catch {
    // See above: everything works without, only slower.
  }
}

type Sealed = Compiled & { readonly question: unknown };

/** The seal says that this package wrote it, in this version; so the outline is enough. */
function isCompiled(value: unknown): value is Sealed {
  return isRecord(value) && isRecord(value.config) && Array.isArray(value.inputs);
}
