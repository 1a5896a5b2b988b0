import type { FileScope } from "../find/discover.ts";
import type { Layer, LayerEntry } from "../find/unit.ts";

export type TrustableKind = "definition" | "key" | "use" | "file" | "agent_hook";

/** Something of a project that takes effect only when the user has trusted exactly it. */
export interface Trustable {
  /** Unique among all projects around the working folder; stays the same while the item keeps its name and place. */
  readonly id: string;
  /** The real path of its project, under which trust is stored. */
  readonly root: string;
  /** Its key in the stored trust. */
  readonly key: string;
  /** A hook, a key of a file, an item of `use`, a file that is run or used, a program of `.agent/hook.toml`. */
  readonly kind: TrustableKind;
  /** The hook's name, the key, or the file's path from the project's root. */
  readonly name: string;
  readonly file: string;
  readonly line?: number;
  /** As written; files are read when they are shown. */
  readonly value?: unknown;
  /** What is stored when it is trusted. */
  readonly hash: string;
  /** The trustables it depends on: the files it runs. */
  readonly needs: readonly string[];
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

/** Everything that needs trust, by id. */
export interface Trustables {
  /** The real path of the nearest project. */
  readonly root: string;
  readonly all: ReadonlyMap<string, Trustable>;
  /** What a hook depends on; nothing for a hook that needs no trust. */
  ofEntry(layer: Layer, entry: LayerEntry): readonly string[];
  ofKey(layer: Layer, file: string, key: string): readonly string[];
  /** What a program of `.agent/hook.toml` depends on. */
  ofAgentHook(file: string, name: string): readonly string[];
  /** What the hooks of a skill or a kind of subagent depend on. */
  ofOwned(file: string): readonly string[];
}

/** The unique id of a key: for any project but the nearest it includes the root. */
export function idOf(key: string, root: string, nearest: string): string {
  return root === nearest ? key : `${key} in ${root}`;
}
