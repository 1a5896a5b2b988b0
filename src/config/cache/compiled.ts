import { join } from "node:path";
import { isRecord, sameJson } from "../../core/base/json.ts";
import { cacheFolder } from "../../node/user-folders.ts";
import type { Config } from "../config.ts";
import type { Places } from "../find/discover.ts";
import { type Input, stillHolds } from "../find/inputs.ts";
import { questionName, questionOf } from "./cache-key.ts";
import { writeKept } from "./keep.ts";
import { isStillKept, type KeptUnit } from "./last-good.ts";
import { readSealed, writeSealed } from "./sealed.ts";

/** A configuration with everything on disk that it depends on. */
export interface Compiled {
  readonly config: Config;
  readonly inputs: readonly Input[];
  /** What is kept of its units for the day their files can't be used. */
  readonly kept: readonly KeptUnit[];
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
  const { config, inputs, kept } = value;
  // What other processes have kept meanwhile is not what would come into force here.
  const isKept = kept.every((unit) => isStillKept(unit, places.environment));
  return isKept && inputs.every(stillHolds) ? { config, inputs, kept } : undefined;
}

/** Keeps a compiled configuration for the next process. A cache that can't be written is none. */
export async function writeCompiled(places: Places, { config, inputs, kept }: Compiled): Promise<void> {
  const value = { question: questionOf(places), inputs, kept, config };
  try {
    // What JSON can't carry unchanged, such as a date of TOML, is read from its file each time.
    if (!sameJson(JSON.parse(JSON.stringify(config)), config)) return;
    await writeSealed(cacheFile(places), value);
    await writeKept(places, { config, inputs, kept });
  } catch {
    // See above: everything works without, only slower.
  }
}

type Sealed = Compiled & { readonly question: unknown };

/** The seal says that this package wrote it, in this version; so the outline is enough. */
function isCompiled(value: unknown): value is Sealed {
  return (
    isRecord(value) && isRecord(value.config) && Array.isArray(value.inputs) && Array.isArray(value.kept)
  );
}
