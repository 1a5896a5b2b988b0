import type { Origin } from "../core/hook.ts";
import type { Limits } from "../core/limits.ts";
import type { FileScope, Source } from "./discover.ts";
import type { Warning } from "./problem.ts";
import type { Definition } from "./schema/definition.ts";
import type { FileContent } from "./schema/file.ts";
import type { SectionName } from "./schema/sections.ts";

/** A hook of the configuration. */
export interface ConfigDefinition {
  /** As hook sets know it. A name that a higher scope has taken carries its scope: `project:guard`. */
  readonly name: string;
  /** As the file holds it, under the name that is written there. */
  readonly definition: Definition;
  /** False when the definition says so, or when its name is under `disabled`. */
  readonly enabled: boolean;
  /** Seconds: its own, else what its scope or a higher one gives; absent: the hook set's. */
  readonly timeout?: number;
  readonly origin: Required<Origin> & { readonly scope: FileScope };
  /** Where its scripts and commands start. */
  readonly root: string;
  /** The pack it came with. */
  readonly pack?: string;
}

/** The top-level keys beside `hooks`, as one file gives them. */
export interface ConfigSections {
  readonly source: Source;
  readonly sections: Readonly<Pick<FileContent, SectionName>>;
}

/** Everything the files of all scopes say. */
export interface Config {
  /** Every file that was read, in the order it counts. */
  readonly files: readonly Source[];
  /** Every hook, in the order of scopes and files. */
  readonly definitions: readonly ConfigDefinition[];
  /** Seconds for hooks that no file has: what the lowest scope gives. */
  readonly timeout?: number;
  readonly limits: Partial<Limits>;
  /** Models, permissions and the rest, for each file that has them: what lower scopes may change is for the reader to say. */
  readonly sections: readonly ConfigSections[];
  /** What is worth knowing and stops nothing. */
  readonly warnings: readonly Warning[];
}
