import { join } from "node:path";
import { isRecord, sameJson } from "../../core/base/json.ts";
import { systemCode } from "../../node/system-code.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { sameUnit, type Unit } from "../combine/unit.ts";
import type { UnitPlace } from "../find/discover.ts";
import type { Warning } from "../parse/problem.ts";
import { sha256 } from "./digest.ts";
import { sealOf } from "./seal-of.ts";
import { readSealed, writeSealed } from "./sealed.ts";

/** Where a unit is kept, and the seal of what was kept there. */
export interface KeptUnit extends UnitPlace {
  readonly seal: string;
}

/** The file in which a unit is kept. */
export function lastGoodFile({ kind, root }: UnitPlace, environment: NodeJS.ProcessEnv | undefined): string {
  const key = sha256(JSON.stringify([kind, root])).slice(0, 32);
  return join(stateFolder(environment), "last-good", `${key}.json`);
}

/** What the files of a unit said when they could last be used. What of it is trusted is to be asked anew. Never throws. */
export function readLastGood(place: UnitPlace, environment: NodeJS.ProcessEnv | undefined): Unit | undefined {
  const value = readSealed(lastGoodFile(place, environment));
  return isUnit(value) && sameUnit(value, place) ? value : undefined;
}

/** True while what is kept of a unit is what was kept then. */
export function isStillKept(kept: KeptUnit, environment: NodeJS.ProcessEnv | undefined): boolean {
  return sealOf(lastGoodFile(kept, environment)) === kept.seal;
}

/**
 * Keeps what the files of a unit say, for the day they can't be used.
 *
 * @returns where it is kept, or what is to be said when it can't be.
 */
export async function writeLastGood(
  { kind, root, layers, warnings }: Unit,
  environment: NodeJS.ProcessEnv | undefined,
): Promise<KeptUnit | Warning> {
  const unit: Unit = { kind, root, layers, warnings };
  const file = lastGoodFile(unit, environment);
  try {
    const known = sameJson(readSealed(file), unit) ? sealOf(file) : undefined;
    return { kind, root, seal: known ?? (await writeSealed(file, unit)) };
  } catch (error) {
    const code = systemCode(error) ?? String(error);
    const message = `This configuration can't be kept for the day its files can't be read (${code}); then gates will be closed.`;
    return { file, message };
  }
}

/** The seal says that this package wrote it, in this version; so the outline is enough. */
function isUnit(value: unknown): value is Unit {
  return isRecord(value) && typeof value.root === "string" && Array.isArray(value.layers);
}
