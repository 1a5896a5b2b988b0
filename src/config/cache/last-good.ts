import { join } from "node:path";
import { isRecord, sameJson } from "../../core/base/json.ts";
import { systemCode } from "../../node/system-code.ts";
import { stateFolder } from "../../node/user-folders.ts";
import type { UnitPlace } from "../find/discover.ts";
import { sameUnit, type Unit } from "../find/unit.ts";
import { sha256 } from "../inputs/digest.ts";
import type { Warning } from "../parse/problem.ts";
import { readCacheFile } from "./cache-file.ts";
import { writeCacheFile } from "./write-cache-file.ts";

/** Where a unit is stored, and the first line of its file. */
export interface StoredUnit extends UnitPlace {
  readonly file: string;
  readonly mark: string;
}

function lastGoodFile({ kind, root }: UnitPlace, environment: NodeJS.ProcessEnv | undefined): string {
  return join(stateFolder(environment), "last-good", sha256(JSON.stringify([kind, root])).slice(0, 32));
}

/** The content of a unit's files when they could last be used. Its trust has to be checked again. Never throws. */
export function readLastGood(place: UnitPlace, environment: NodeJS.ProcessEnv | undefined): Unit | undefined {
  const value = readCacheFile(lastGoodFile(place, environment))?.head;
  return isUnit(value) && sameUnit(value, place) ? value : undefined;
}

/**
 * Stores what the files of a unit say, for the time when they can't be used.
 *
 * @returns where it is stored, or a warning when it can't be.
 */
export async function writeLastGood(
  { kind, root, layers, warnings }: Unit,
  environment: NodeJS.ProcessEnv | undefined,
): Promise<StoredUnit | Warning> {
  const unit: Unit = { kind, root, layers, warnings };
  const file = lastGoodFile(unit, environment);
  try {
    const stored = readCacheFile(file);
    const mark = sameJson(stored?.head, unit) ? stored?.mark : undefined;
    return { kind, root, file, mark: mark ?? (await writeCacheFile(file, unit)) };
  } catch (error) {
    const code = systemCode(error) ?? String(error);
    const message = `Can't store a copy of this configuration (${code}). If its files become unreadable, every gate will be closed.`;
    return { file, message };
  }
}

/** The first line says that this version of the package wrote it, so its outline is enough. */
function isUnit(value: unknown): value is Unit {
  return isRecord(value) && typeof value.root === "string" && Array.isArray(value.layers);
}
