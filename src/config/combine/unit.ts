import type { Problem, Warning } from "../parse/problem.ts";
import type { Layer } from "./layer.ts";

/** Whose files they are, and the folder they belong to. */
export interface UnitPlace {
  readonly kind: "managed" | "user" | "project";
  /** For a project its real path; for the others the folder of the file. */
  readonly root: string;
}

/**
 * Files that stand or fall together: the managed one, the user's, or those of one project folder with its scripts. What
 * is wrong in one unit never touches another. Plain data.
 */
export interface Unit extends UnitPlace {
  readonly layers: readonly Layer[];
  readonly warnings: readonly Warning[];
}

/** A unit as it was read now. */
export interface ReadUnit extends Unit {
  readonly problems: readonly Problem[];
  /** Files of it with nothing in them, or with comments alone. */
  readonly blank: readonly string[];
}

/** True for two places of the same files. */
export function sameUnit(one: UnitPlace, other: UnitPlace): boolean {
  return one.kind === other.kind && one.root === other.root;
}

/** A unit of which nothing is known, or whose files say nothing. */
export function emptyUnit({ kind, root }: UnitPlace): Unit {
  return { kind, root, layers: [], warnings: [] };
}

/** True when something of a unit stands in this file. */
export function saysAnything({ layers }: Unit, file: string): boolean {
  return layers.some(({ entries, uses, disabled, limits, timeouts, sections }) =>
    [
      ...entries,
      ...uses,
      ...disabled,
      ...limits,
      ...timeouts,
      ...sections.flatMap(({ places }) => Object.values(places).map((place) => ({ place }))),
    ].some(({ place }) => place.file === file),
  );
}

/** The layers of all units in the order they count. A pack that managed or user files have is not needed twice. */
export function layersOf(units: readonly Unit[]): readonly Layer[] {
  const packs = new Set<string>();
  return units
    .flatMap(({ layers }) => layers)
    .map((layer) => {
      const entries = layer.entries.filter(({ pack }) => pack === undefined || !packs.has(pack));
      if (layer.scope === "managed" || layer.scope === "user")
        for (const { pack } of entries) if (pack !== undefined) packs.add(pack);
      return { ...layer, entries };
    });
}
