import type { Layer, LayerEntry } from "../combine/layer.ts";
import type { ReadConfig } from "../combine/read-config.ts";
import { layersOf } from "../combine/unit.ts";
import type { FileScope } from "../find/discover.ts";
import type { Inputs } from "../find/inputs.ts";
import { projectClaims } from "./project-claims.ts";

/** What a thing that needs trust is. */
export type ClaimKind = "definition" | "key" | "use" | "file" | "agent_hook";

/** Something of a project that takes effect only when this user has trusted exactly it. */
export interface Claim {
  /** Unique among all projects around the working folder. */
  readonly id: string;
  /** The real path of its project, under which trust is stored. */
  readonly root: string;
  /** What it is called there. */
  readonly key: string;
  readonly kind: ClaimKind;
  /** How people know it: the hook's name, the key, the file's path from the project's root. */
  readonly name: string;
  readonly file: string;
  readonly line?: number;
  /** As it is written; files are read when they are shown. */
  readonly value?: unknown;
  /** Changes with everything that counts. */
  readonly hash: string;
  /** Other claims it stands on: the files it runs. */
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
export interface Claims {
  /** The real path of the nearest project. */
  readonly root: string;
  readonly all: ReadonlyMap<string, Claim>;
  /** The claims a hook stands on, none for one that needs no trust. */
  ofEntry(layer: Layer, entry: LayerEntry): readonly string[];
  /** The claims a key of a file stands on. */
  ofKey(layer: Layer, file: string, key: string): readonly string[];
  /** The claims a program of `.agent/hook.toml` stands on. */
  ofAgentHook(file: string, name: string): readonly string[];
}

/** What a thing is called among all projects: what is stored of another one than the nearest carries its root. */
export function idOf(key: string, root: string, nearest: string): string {
  return root === nearest ? key : `${key} in ${root}`;
}

/**
 * Collects what needs trust, each project around the working folder by itself. The programs of `.agent/hook.toml` belong
 * to the working folder, whatever projects are around it.
 */
export function claimsOf({ cwd, root: nearest, units, agent }: ReadConfig, inputs: Inputs): Claims {
  const layers = layersOf(units).filter(({ scope }) => needsTrust(scope));
  const roots = new Set([...layers.map(({ root }) => root), ...(agent === undefined ? [] : [cwd])]);
  const projects = new Map(
    [...roots].map((project) => {
      const own = layers.filter(({ root }) => root === project);
      const parts = { project, nearest, layers: own, ...(project === cwd ? { agent } : {}) };
      return [project, projectClaims(parts, inputs)];
    }),
  );
  return {
    root: nearest,
    all: new Map([...projects.values()].flatMap(({ all }) => [...all])),
    // A project nobody knows stands on a claim nobody knows, which is not trusted.
    ofEntry: (layer, entry) =>
      needsTrust(layer.scope) ? (projects.get(layer.root)?.ofEntry(layer, entry) ?? [layer.root]) : [],
    ofKey: (layer, file, key) =>
      needsTrust(layer.scope) ? (projects.get(layer.root)?.ofKey(layer, file, key) ?? [layer.root]) : [],
    ofAgentHook: (file, name) => projects.get(cwd)?.ofAgentHook(file, name) ?? [cwd],
  };
}
