import type { Limits } from "../core/limits.ts";
import type { ConfigSections } from "./config.ts";
import type { FileScope, Source } from "./discover.ts";
import type { Place } from "./problem.ts";
import type { Definition } from "./schema/definition.ts";

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

/** What one scope brings, its files put together. */
export interface Layer {
  readonly scope: FileScope;
  readonly files: Source[];
  readonly entries: LayerEntry[];
  readonly disabled: Placed<string>[];
  readonly limits: Placed<Partial<Limits>>[];
  readonly sections: ConfigSections[];
  timeout?: number;
}

/** A scope of which nothing was read yet. */
export function emptyLayer(scope: FileScope): Layer {
  return { scope, files: [], entries: [], disabled: [], limits: [], sections: [] };
}
