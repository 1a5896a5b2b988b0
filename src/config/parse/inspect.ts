import type { Definition } from "../schema/definition.ts";
import type { ParsedFile, ValuePath } from "./located.ts";

/** A definition, and where it was read. */
export interface InspectedDefinition {
  readonly definition: Definition;
  readonly path: ValuePath;
  readonly parsed: ParsedFile;
  /** The folder its scripts and commands start in. */
  readonly root: string;
  /** Parts with problems are left out of it, so that it can't be built. */
  readonly isPart?: true;
}

/** Called with every definition that is read, for checks that take longer or are about what is likely a mistake. */
export type Inspect = (what: InspectedDefinition) => Promise<void>;
