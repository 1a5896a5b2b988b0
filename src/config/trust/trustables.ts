import { relative } from "node:path";
import { type Layer, layersOf, type ReadConfig, saysAnything } from "../find/unit.ts";
import { sha256 } from "../inputs/digest.ts";
import { ABSENT, type Inputs, MOST_FILE_BYTES } from "../inputs/inputs.ts";
import {
  filesOfCommand,
  filesOfDefinition,
  filesOfHooks,
  filesOfSection,
  type NamingSite,
  unknownIn,
} from "./named-files.ts";
import { idOf, needsTrust, type Trustable, type Trustables } from "./trustable.ts";

/** What a configuration file says, as far as trust is concerned. */
interface Content extends Partial<Pick<Trustable, "guards" | "unknown">> {
  readonly runs: readonly string[];
}

/**
 * Collects the files that need trust, each project around the working folder by itself, and looks where names lead. What a
 * program holds is looked at when somebody asks: a project that was never trusted must not cost the reading of whatever it
 * names. `.agent/hook.toml` belongs to its folder, skills and kinds of subagents to the working folder, whatever projects are around it.
 */
export function trustablesOf(
  { cwd, root: nearest, units, agent, owned = [] }: ReadConfig,
  inputs: Inputs,
): Trustables {
  const all = new Map<string, Trustable>();
  const site = (root: string): NamingSite => ({ root, inputs });
  const idIn = (root: string, file: string): string => idOf(relative(root, file), root, nearest);
  const put = (
    root: string,
    file: string,
    value: () => string,
    { guards = [], unknown = [], runs }: Partial<Content>,
  ): void => {
    const id = idIn(root, file);
    const known = all.get(id);
    // A command may have named a configuration file, or a script that is a hook, before it comes itself.
    const isMore = runs !== undefined || guards.length > 0;
    if (known !== undefined && !(isMore && known.kind === "program")) return;
    all.set(id, {
      id,
      root,
      key: relative(root, file),
      kind: runs === undefined ? "program" : "configuration",
      name: relative(nearest, file),
      file,
      guards,
      unknown,
      needs: unique((runs ?? []).map((run) => idIn(root, run))),
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
    for (const run of runs ?? []) putProgram(root, run);
  };
  const putProgram = (root: string, file: string, guards: readonly string[] = []): void =>
    put(root, file, () => inputs.see("file", file).value, { guards });

  const layers = layersOf(units).filter(({ scope }) => needsTrust(scope));
  for (const layer of layers) {
    for (const { file, value } of layer.files)
      if (saysAnything([layer], file)) put(layer.root, file, () => value, contentOf(layer, file, inputs));
    const isRead = (file: string): boolean => layer.files.some((source) => source.file === file);
    // A script that is a hook by its name.
    for (const { definition, place } of layer.entries)
      if (!isRead(place.file)) putProgram(layer.root, place.file, [`hook ${definition.name}`]);
  }
  const runsOfAgent = (name: string): readonly string[] =>
    Object.entries(agent?.hooks ?? {}).flatMap(([own, { command, args }]) =>
      own === name ? filesOfCommand([command, ...args], site(agent?.folder ?? cwd)) : [],
    );
  if (agent !== undefined) {
    const runs = Object.keys(agent.hooks).flatMap(runsOfAgent);
    put(agent.folder, agent.file, () => agent.value, { runs });
  }
  // Trusted as a whole: what its instructions say belongs to what its hooks guard.
  for (const { file, hooks, value } of owned)
    put(cwd, file, () => value, { runs: filesOfHooks(hooks, site(cwd)) });

  const idsIn = (root: string, files: readonly string[]): readonly string[] =>
    unique(files.map((file) => idIn(root, file)));
  const needed = (layer: Layer, file: string, runs: readonly string[]): readonly string[] =>
    needsTrust(layer.scope) ? idsIn(layer.root, [...withUsers(layer, file), ...runs]) : [];
  return {
    root: nearest,
    all,
    ofFile: (layer, file) => needed(layer, file, []),
    ofEntry: (layer, { definition, place, root, pack }) =>
      needed(layer, place.file, pack === undefined ? filesOfDefinition(definition, site(root)) : []),
    ofSection: (layer, { source, value }, name) =>
      needed(layer, source.file, filesOfSection(name, value[name], site(source.root))),
    ofAgentHook: (name) =>
      agent === undefined ? [] : idsIn(agent.folder, [agent.file, ...runsOfAgent(name)]),
    ofOwned: (file) => {
      const id = idIn(cwd, file);
      return [id, ...(all.get(id)?.needs ?? [])];
    },
  };
}

const GUARDING_SECTIONS = ["permissions", "sandbox"] as const;

function contentOf(layer: Layer, file: string, inputs: Inputs): Content {
  const uses = layer.uses.filter(({ place, file: used }) => place.file === file && used === undefined);
  const entries = layer.entries.filter(({ pack, place }) => pack === undefined && place.file === file);
  const sections = layer.sections.filter(({ source }) => source.file === file);
  const named = sections.flatMap(({ source, value }) =>
    Object.entries(value).map(([name, section]) => ({ name, section, root: source.root })),
  );
  return {
    runs: [
      ...entries.flatMap(({ definition, root }) => filesOfDefinition(definition, { root, inputs })),
      ...named.flatMap(({ name, section, root }) => filesOfSection(name, section, { root, inputs })),
    ],
    unknown: [
      ...entries.flatMap(({ definition, root }) => unknownIn(definition, { root })),
      ...named.flatMap(({ section, root }) => unknownIn(section, { root })),
    ],
    guards: [
      ...uses.map(({ name }) => `pack ${name}`),
      ...entries.map(({ definition }) => `hook ${definition.name}`),
      ...GUARDING_SECTIONS.filter((name) => named.some((section) => section.name === name)).map(
        (name) => `section ${name}`,
      ),
    ],
  };
}

/** A file, and those that use it: who names it there must be trusted, too. */
function withUsers(layer: Layer, file: string): readonly string[] {
  const use = layer.uses.find((item) => item.file === file);
  return [file, ...(use === undefined ? [] : withUsers(layer, use.place.file))];
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
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
