import type { FileScope } from "../find/discover.ts";
import type { Layer, LayerEntry, LayerSections } from "../find/unit.ts";
import type { SectionName } from "../schema/sections.ts";

/** A file of a project that takes effect only when the user has trusted exactly its bytes. */
export interface Trustable {
  /** Unique among all projects around the working folder; stays the same while the file keeps its place. */
  readonly id: string;
  /** The real path of its project, under which trust is stored. */
  readonly root: string;
  /** Its key in the stored trust: its path from the root. */
  readonly key: string;
  /** `configuration`: it says what is run and what is allowed. `program`: it is run. */
  readonly kind: "configuration" | "program";
  /** Its path from the nearest project's root. */
  readonly name: string;
  readonly file: string;
  /** What is stored when it is trusted. */
  readonly hash: string;
  /** The files it runs, by id. */
  readonly needs: readonly string[];
  /** What it guards with, each by its kind: `hook NAME`, `pack NAME`, `section NAME`. */
  readonly guards: readonly string[];
  /** What else it runs that can't be known without running it. */
  readonly unknown: readonly string[];
  /** True for a file that is not there. */
  readonly absent: boolean;
  /** Why it can't be trusted. */
  readonly problem: string | undefined;
}

const PROJECT_SCOPES: readonly FileScope[] = ["project", "local"];

/** True for a scope whose files come with a project and need trust. */
export function needsTrust(scope: FileScope): boolean {
  return PROJECT_SCOPES.includes(scope);
}

/** Every file that needs trust, and which of them something depends on, by id: its own file first. */
export interface Trustables {
  /** The real path of the nearest project. */
  readonly root: string;
  readonly all: ReadonlyMap<string, Trustable>;
  /** Nothing for a file that needs no trust. */
  ofFile(layer: Layer, file: string): readonly string[];
  ofEntry(layer: Layer, entry: LayerEntry): readonly string[];
  ofSection(layer: Layer, sections: LayerSections, name: SectionName): readonly string[];
  /** What a program of `.agent/hook.toml` depends on. */
  ofAgentHook(name: string): readonly string[];
  /** What the hooks of a skill or a kind of subagent depend on. */
  ofOwned(file: string): readonly string[];
}

/** The unique id of a key: for any project but the nearest it includes the root. */
export function idOf(key: string, root: string, nearest: string): string {
  return root === nearest ? key : `${key} in ${root}`;
}
