import type { Layer, LayerEntry } from "../combine/layer.ts";
import type { FileScope } from "../find/discover.ts";

/** What a thing that needs trust is. */
export type TrustableKind = "definition" | "key" | "use" | "file" | "agent_hook";

/** Something of a project that takes effect only when this user has trusted exactly it. */
export interface Trustable {
  /** Unique among all projects around the working folder. */
  readonly id: string;
  /** The real path of its project, under which trust is stored. */
  readonly root: string;
  /** What it is called there. */
  readonly key: string;
  readonly kind: TrustableKind;
  /** How people know it: the hook's name, the key, the file's path from the project's root. */
  readonly name: string;
  readonly file: string;
  readonly line?: number;
  /** As it is written; files are read when they are shown. */
  readonly value?: unknown;
  /** Changes with everything that counts. */
  readonly hash: string;
  /** Other trustables it stands on: the files it runs. */
  readonly needs: readonly string[];
  /** What it runs beside them that nobody can know without running it. */
  readonly unknown: readonly string[];
  /** Why nobody can trust it as it is. */
  readonly problem: string | undefined;
}

/** The scopes whose files come with a project. */
const PROJECT_SCOPES: readonly FileScope[] = ["project", "local"];

/** True for a scope whose files come with a project and need trust. */
export function needsTrust(scope: FileScope): boolean {
  return PROJECT_SCOPES.includes(scope);
}

/** Everything of one project, or of several, that needs trust, by id. */
export interface Trustables {
  /** The real path of the nearest project. */
  readonly root: string;
  readonly all: ReadonlyMap<string, Trustable>;
  /** The trustables a hook stands on, none for one that needs no trust. */
  ofEntry(layer: Layer, entry: LayerEntry): readonly string[];
  /** The trustables a key of a file stands on. */
  ofKey(layer: Layer, file: string, key: string): readonly string[];
  /** The trustables a program of `.agent/hook.toml` stands on. */
  ofAgentHook(file: string, name: string): readonly string[];
}

/** What a thing is called among all projects: what is stored of another one than the nearest carries its root. */
export function idOf(key: string, root: string, nearest: string): string {
  return root === nearest ? key : `${key} in ${root}`;
}
