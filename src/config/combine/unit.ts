import type { UnitPlace } from "../find/discover.ts";
import type { AgentHooks } from "../find/hook-toml.ts";
import type { Problem, Warning } from "../parse/problem.ts";
import type { Layer } from "./layer.ts";

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

/** What the files of all scopes say, before trust and the order of scopes are considered. */
export interface ReadConfig {
  /** The folder the agent works in, links followed. */
  readonly cwd: string;
  /** The nearest project's root; the working folder where there is none. */
  readonly root: string;
  /** In the order they count. */
  readonly units: readonly Unit[];
  readonly agent?: { readonly file: string; readonly hooks: AgentHooks };
  /** What belongs to no unit. */
  readonly warnings: readonly Warning[];
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
