import { relative } from "node:path";
import { type Layer, type LayerEntry, layersOf, type ReadConfig } from "../find/unit.ts";
import { canonicalJson, sha256 } from "../inputs/digest.ts";
import { ABSENT, type Inputs, MOST_FILE_BYTES } from "../inputs/inputs.ts";
import type { Place } from "../parse/problem.ts";
import {
  filesOfCommand,
  filesOfDefinition,
  filesOfHooks,
  filesOfSection,
  type NamingSite,
  unknownIn,
} from "./named-files.ts";
import { idOf, needsTrust, type Trustable, type Trustables } from "./trustable.ts";

interface ProjectParts {
  readonly project: string;
  /** The nearest project, which shown paths are relative to. */
  readonly nearest: string;
  readonly layers: readonly Layer[];
  readonly agent?: ReadConfig["agent"];
  readonly owned?: ReadConfig["owned"];
}

/**
 * Collects what of one project needs trust, and looks where names lead. What a file holds is looked at when somebody
 * asks.
 */
function projectTrustables(
  { project, nearest, layers, agent, owned = [] }: ProjectParts,
  inputs: Inputs,
): Trustables {
  const all = new Map<string, Trustable>();
  const short = (file: string): string => relative(project, file);
  const unique = (key: string): string => idOf(key, project, nearest);
  const keyId = (file: string, key: string): string => `key ${short(file)} ${key}`;
  const useId = (file: string, name: string): string => `use ${short(file)} ${name}`;
  const agentId = (file: string, name: string): string => `agent ${short(file)} ${name}`;
  const definitionId = ({ scope }: Layer, { definition }: LayerEntry): string =>
    `definition ${scope} ${definition.name}`;
  const site = (root: string): NamingSite => ({ root, inputs });

  const putFile = (file: string, known?: string, needs: readonly string[] = []): string => {
    const key = `file ${short(file)}`;
    const id = unique(key);
    const value = (): string => known ?? inputs.see("file", file).value;
    all.set(id, {
      id,
      root: project,
      key,
      kind: "file",
      name: relative(nearest, file),
      file,
      needs,
      unknown: [],
      // A project that was never trusted must not cost the reading of whatever it names.
      get hash() {
        return sha256(value());
      },
      get absent() {
        return value() === ABSENT;
      },
      get problem() {
        return fileProblem(value());
      },
    });
    return id;
  };
  const put = (
    trustable: Omit<Trustable, "id" | "root" | "hash" | "needs" | "unknown" | "absent" | "problem">,
    hashed: unknown,
    files: readonly string[],
    root = project,
  ): void => {
    const id = unique(trustable.key);
    all.set(id, {
      ...trustable,
      id,
      root: project,
      hash: sha256(canonicalJson(hashed)),
      unknown: unknownIn(trustable.value, { root }),
      needs: files.map((file) => putFile(file)),
      absent: false,
      problem: undefined,
    });
  };
  const putKey = (
    place: Pick<Place, "file" | "line">,
    key: string,
    value: unknown,
    files: readonly string[] = [],
  ) => put({ key: keyId(place.file, key), kind: "key", name: key, ...at(place), value }, value, files);

  for (const layer of layers) {
    for (const { name, place, file, shadow } of layer.uses) {
      const value = shadow === true ? { pack: name, mode: "shadow" } : name;
      put({ key: useId(place.file, name), kind: "use", name, ...at(place), value }, value, []);
      if (file !== undefined) putFile(file.path, file.value);
    }
    for (const entry of layer.entries.filter(({ pack }) => pack === undefined)) {
      const { definition, place, root } = entry;
      const trustable = {
        key: definitionId(layer, entry),
        kind: "definition",
        name: definition.name,
      } as const;
      const files = filesOfDefinition(definition, site(root));
      put({ ...trustable, ...at(place), value: definition }, [definition, short(root)], files, root);
    }
    for (const { source, value, places } of layer.sections) {
      for (const [name, section] of Object.entries(value)) {
        const place = { file: source.file, line: places[name]?.line ?? 1 };
        putKey(place, name, section, filesOfSection(name, section, site(source.root)));
      }
    }
    for (const { value, place } of layer.timeouts) putKey(place, "hooks.timeout", value);
    for (const { value, place } of layer.limits) putKey(place, "hooks.limits", value);
    for (const { place } of layer.disabled) {
      const names = layer.disabled.filter((other) => other.place.file === place.file);
      if (names[0]?.place === place)
        putKey(
          place,
          "hooks.disabled",
          names.map(({ value }) => value),
        );
    }
  }
  if (agent !== undefined) {
    const { file, hooks } = agent;
    for (const [name, program] of Object.entries(hooks)) {
      const files = filesOfCommand([program.command, ...program.args], site(project));
      put({ key: agentId(file, name), kind: "agent_hook", name, file, value: program }, program, files);
    }
  }
  // Trusted as a whole: what its instructions say belongs to what its hooks guard.
  for (const { file, hooks, value } of owned) {
    const files = filesOfHooks(hooks, site(project)).map((run) => putFile(run));
    putFile(file, value, files);
  }

  /** What a used file depends on: its bytes, and the item of `use` that names it. */
  const ofFile = (layer: Layer, file: string): readonly string[] => {
    const use = layer.uses.find((item) => item.file?.path === file);
    if (use === undefined) return [];
    return [`file ${short(file)}`, useId(use.place.file, use.name), ...ofFile(layer, use.place.file)];
  };
  const closed = (keys: readonly string[]): readonly string[] => [
    ...new Set(keys.map(unique).flatMap((id) => [id, ...(all.get(id)?.needs ?? [])])),
  ];
  return {
    root: project,
    all,
    ofEntry: (layer, entry) => {
      const { pack, place } = entry;
      const own = pack === undefined ? definitionId(layer, entry) : useId(place.file, pack);
      return closed([own, ...ofFile(layer, place.file)]);
    },
    ofKey: (layer, file, key) => closed([keyId(file, key), ...ofFile(layer, file)]),
    ofAgentHook: (file, name) => closed([agentId(file, name)]),
    ofOwned: (file) => closed([`file ${short(file)}`]),
  };
}

function at({ file, line }: Pick<Place, "file" | "line">) {
  return { file, line };
}

const FILE_PROBLEMS: readonly (readonly [beginning: string, problem: string])[] = [
  [
    "too_large",
    `has more than ${MOST_FILE_BYTES / 1_000_000} MB, or all files together more than can be trusted`,
  ],
  ["special", "is not a plain file"],
  ["folder", "is a folder"],
  ["unreadable", "can't be read by this user"],
];

/** Why a file can't be trusted as it is. A missing file can: it is trusted to be missing. */
function fileProblem(value: string): string | undefined {
  return FILE_PROBLEMS.find(([beginning]) => value.startsWith(beginning))?.[1];
}

/**
 * Collects what needs trust, each project around the working folder by itself. The programs of `.agent/hook.toml`, skills
 * and kinds of subagents belong to the working folder, whatever projects are around it.
 */
export function trustablesOf(
  { cwd, root: nearest, units, agent, owned = [] }: ReadConfig,
  inputs: Inputs,
): Trustables {
  const layers = layersOf(units).filter(({ scope }) => needsTrust(scope));
  const roots = new Set([
    ...layers.map(({ root }) => root),
    ...(agent === undefined && owned.length === 0 ? [] : [cwd]),
  ]);
  const projects = new Map(
    [...roots].map((project) => {
      const own = layers.filter(({ root }) => root === project);
      const parts = { project, nearest, layers: own, ...(project === cwd ? { agent, owned } : {}) };
      return [project, projectTrustables(parts, inputs)];
    }),
  );
  return {
    root: nearest,
    all: new Map([...projects.values()].flatMap(({ all }) => [...all])),
    // An unknown project depends on an unknown trustable, which is never trusted.
    ofEntry: (layer, entry) =>
      needsTrust(layer.scope) ? (projects.get(layer.root)?.ofEntry(layer, entry) ?? [layer.root]) : [],
    ofKey: (layer, file, key) =>
      needsTrust(layer.scope) ? (projects.get(layer.root)?.ofKey(layer, file, key) ?? [layer.root]) : [],
    ofAgentHook: (file, name) => projects.get(cwd)?.ofAgentHook(file, name) ?? [cwd],
    ofOwned: (file) => projects.get(cwd)?.ofOwned(file) ?? [cwd],
  };
}
