import type { Limits } from "../../core/registration/limits.ts";
import type { FileScope, Source } from "../find/discover.ts";
import type { Place } from "../parse/problem.ts";
import type { Definition } from "../schema/definition.ts";
import type { FileContent } from "../schema/file.ts";
import type { SectionName } from "../schema/sections.ts";

/** A hook as a scope brings it. */
export interface LayerEntry {
  readonly definition: Definition;
  readonly place: Place;
  readonly root: string;
  readonly pack?: string;
}

/** A value with the place it was read at. */
export interface Placed<Value> {
  readonly value: Value;
  readonly place: Place;
}

/** An item of `use`: what it names and, when that is a file, the file and the digest of its bytes. */
export interface LayerUse {
  readonly name: string;
  readonly place: Place;
  readonly file?: { readonly path: string; readonly value: string };
}

/** The top-level keys beside `hooks`. */
export type Sections = Readonly<Pick<FileContent, SectionName>>;

/** The sections of one file. */
export interface LayerSections {
  readonly source: Source;
  readonly value: Sections;
  /** Where each of them stands. */
  readonly places: Readonly<Record<string, Place>>;
}

/** What one scope brings, its files put together: plain data. */
export interface Layer {
  readonly scope: FileScope;
  /** The folder of its unit: for project and local files the project's real path. */
  readonly root: string;
  readonly files: Source[];
  readonly uses: LayerUse[];
  readonly entries: LayerEntry[];
  readonly disabled: Placed<string>[];
  readonly limits: Placed<Partial<Limits>>[];
  /** Each file's; the last counts. */
  readonly timeouts: Placed<number>[];
  readonly sections: LayerSections[];
}

/** A scope of which nothing was read yet. */
export function emptyLayer(scope: FileScope, root: string): Layer {
  return {
    scope,
    root,
    files: [],
    uses: [],
    entries: [],
    disabled: [],
    limits: [],
    timeouts: [],
    sections: [],
  };
}
