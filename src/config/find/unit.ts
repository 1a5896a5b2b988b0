import { basename, dirname } from "node:path";
import type { Limits } from "../../core/registration/limits.ts";
import type { Place, Problem, Warning } from "../parse/problem.ts";
import type { Definition } from "../schema/definition.ts";
import type { FileContent } from "../schema/file.ts";
import type { SectionName } from "../schema/sections.ts";
import type { Discovered, FileScope, Source, UnitPlace } from "./discover.ts";
import type { AgentFile } from "./hook-toml.ts";
import type { OwnedHooks } from "./owned-hooks.ts";

/**
 * Files that belong together: the managed one, the user's, or those of one project folder with its scripts. Plain data.
 */
export interface Unit extends UnitPlace {
  readonly layers: readonly Layer[];
  readonly warnings: readonly Warning[];
}

export interface ReadUnit extends Unit {
  readonly problems: readonly Problem[];
  /** Its files that are empty or contain only comments. */
  readonly blank: readonly string[];
}

/** The files of all scopes before trust and precedence are applied. */
export interface ReadConfig extends Omit<Discovered, "units" | "agent_folder"> {
  /** The roots of the units that are not what their files say now: nobody knows what is gone from them. */
  readonly fallen?: readonly string[];
  /** In order of precedence. */
  readonly units: readonly Unit[];
  readonly agent?: AgentFile;
  /** Skills and kinds of subagents of the working folder with hooks of their own, where somebody asks about them. */
  readonly owned?: readonly OwnedHooks[];
}

export function sameUnit(one: UnitPlace, other: UnitPlace): boolean {
  return one.kind === other.kind && one.root === other.root;
}

export function saysAnything(layers: readonly Layer[], file: string): boolean {
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

/** All layers in order of precedence, without packs that managed or user files enforce already. */
export function layersOf(units: readonly Unit[]): readonly Layer[] {
  const packs = new Set<string>();
  return units
    .flatMap(({ layers }) => layers)
    .map((layer) => {
      const entries = layer.entries.filter(({ pack }) => pack === undefined || !packs.has(pack));
      if (layer.scope === "managed" || layer.scope === "user")
        for (const { pack, definition } of entries)
          if (pack !== undefined && definition.mode !== "shadow") packs.add(pack);
      return { ...layer, entries };
    });
}

export interface LayerEntry {
  readonly definition: Definition;
  readonly place: Place;
  readonly root: string;
  readonly pack?: string;
}

export interface Placed<Value> {
  readonly value: Value;
  readonly place: Place;
}

/** An item of `use`: a pack, or the file that it names. */
export interface LayerUse {
  readonly name: string;
  readonly place: Place;
  readonly file?: string;
}

/** A file that was read, and what identifies its content: what is trusted must be what was read. */
export interface ReadSource extends Source {
  readonly value: string;
}

export type Sections = Readonly<Pick<FileContent, SectionName>>;

export interface LayerSections {
  readonly source: Source;
  readonly value: Sections;
  readonly places: Readonly<Record<string, Place>>;
}

/** The combined files of one scope. Plain data. */
export interface Layer {
  readonly scope: FileScope;
  /** The folder of its unit: for project and local files the real path of the project. */
  readonly root: string;
  readonly files: ReadSource[];
  readonly uses: LayerUse[];
  /** The folders that `use` names: a file that is added there is used too. */
  readonly folders: string[];
  readonly entries: LayerEntry[];
  /** `until`: it is on again after that. */
  readonly disabled: (Placed<string> & { readonly until?: string })[];
  readonly limits: Placed<Partial<Limits>>[];
  /** One for each file; the last counts. */
  readonly timeouts: Placed<number>[];
  /** Who manages the hooks; counts in managed files. */
  readonly managers: Placed<string>[];
  readonly sections: LayerSections[];
}

export function emptyLayer(scope: FileScope, root: string): Layer {
  return {
    scope,
    root,
    files: [],
    uses: [],
    folders: [],
    entries: [],
    disabled: [],
    limits: [],
    timeouts: [],
    managers: [],
    sections: [],
  };
}

/** The folder of the project whose only file this is. */
export function rootOf(file: string): string {
  const folder = dirname(file);
  return basename(folder) === ".tenterhook" ? dirname(folder) : folder;
}
