import { resolve } from "node:path";
import { readLastGood } from "../cache/last-good.ts";
import type { UnitPlace } from "../find/discover.ts";
import { Inputs } from "../find/inputs.ts";
import type { LoadOptions } from "../load.ts";
import { inOrder, type Problem } from "../parse/problem.ts";
import { emptyUnit, type ReadConfig, type ReadUnit, sameUnit, saysAnything, type Unit } from "./unit.ts";

export interface UsableUnits {
  readonly units: readonly Unit[];
  readonly problems: readonly Problem[];
  /** False when a unit has no usable version. */
  readonly isKnown: boolean;
}

/** Replaces each invalid unit by its last good version. */
export function withLastGood(
  found: readonly ReadUnit[],
  environment: NodeJS.ProcessEnv | undefined,
  before: readonly Unit[] | undefined,
): UsableUnits {
  const problems: Problem[] = [];
  let isKnown = true;
  const units = found.map((unit): Unit => {
    if (unit.problems.length === 0 && unit.blank.length === 0) return unit;
    const good = lastGood(unit, environment, before);
    const wrong = unit.problems.length > 0 ? unit.problems : emptied(unit, good);
    if (wrong.length === 0) return unit;
    problems.push(...wrong);
    if (good === undefined) isKnown = false;
    return good ?? emptyUnit(unit);
  });
  return { units, problems: inOrder(problems), isKnown };
}

/** The last configuration in force, for a folder whose files can't be read or whose hooks a set refuses. */
export async function lastGoodConfig(
  options: LoadOptions,
  before: readonly Unit[] | "none" | undefined,
): Promise<{ readonly read: ReadConfig; readonly isKnown: boolean }> {
  const { discover } = await import("../find/discover.ts");
  const cwd = resolve(options.cwd);
  const found = await discover(options, new Inputs()).catch(() => undefined);
  const { root } = found ?? { root: cwd };
  const lastGood = found?.units.map((unit) => readLastGood(unit, options.environment) ?? unit);
  const good = before === "none" ? undefined : (before ?? known(lastGood));
  const units = good ?? [];
  return {
    read: {
      cwd: found?.cwd ?? cwd,
      root,
      folders: found?.folders ?? [],
      fallen: units.map((unit) => unit.root),
      units,
      warnings: [],
    },
    isKnown: good !== undefined,
  };
}

function known(units: readonly (Unit | UnitPlace)[] | undefined): readonly Unit[] | undefined {
  const good = units?.filter((unit) => "layers" in unit);
  return good?.length === units?.length ? good : undefined;
}

function lastGood(
  place: UnitPlace,
  environment: NodeJS.ProcessEnv | undefined,
  before: readonly Unit[] | undefined,
): Unit | undefined {
  const here = before?.find((unit) => sameUnit(unit, place)) ?? readLastGood(place, environment);
  // This process has worked without these files until now.
  return here ?? (before === undefined ? undefined : emptyUnit(place));
}

/**
 * A file that held something and is empty now is more likely being written, or was cut off, than meant to say nothing:
 * who wants that can remove it, or say so.
 */
function emptied({ blank }: ReadUnit, good: Unit | undefined): readonly Problem[] {
  const files = good === undefined ? [] : blank.filter((file) => saysAnything(good, file));
  return files.map((file) => ({
    code: "config_invalid",
    file,
    message:
      "The file is empty, but it was not before. To have nothing in it, remove it or write an empty hooks section.",
  }));
}
