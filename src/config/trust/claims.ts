import { relative } from "node:path";
import { canonicalJson, sha256 } from "../digest.ts";
import type { FileScope } from "../discover.ts";
import type { Inputs } from "../inputs.ts";
import type { Layer, LayerEntry } from "../layer.ts";
import type { Place } from "../problem.ts";
import type { ReadConfig } from "../read-config.ts";
import { fileProblem } from "./file-problem.ts";
import {
  filesOfArguments,
  filesOfDefinition,
  filesOfSection,
  type NamedFiles,
  type NamingSite,
} from "./named-files.ts";

/** What a thing that needs trust is. */
export type ClaimKind = "definition" | "key" | "use" | "file" | "agent_hook";

/** Something of a project that takes effect only when this user has trusted exactly it. */
export interface Claim {
  readonly id: string;
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
  /** Why nobody can trust it as it is. */
  readonly problem: string | undefined;
}

const TOO_MANY = "names more files and folders than can be looked at";

/** The scopes whose files come with a project. */
const PROJECT_SCOPES: readonly FileScope[] = ["project", "local"];

/** True for a scope whose files come with a project and need trust. */
export function needsTrust(scope: FileScope): boolean {
  return PROJECT_SCOPES.includes(scope);
}

/** Everything of a project that needs trust, by id. */
export interface Claims {
  /** The real path of the project. */
  readonly root: string;
  readonly all: ReadonlyMap<string, Claim>;
  /** The claims a hook stands on, none for one that needs no trust. */
  ofEntry(layer: Layer, entry: LayerEntry): readonly string[];
  /** The claims a key of a file stands on. */
  ofKey(layer: Layer, file: string, key: string): readonly string[];
  /** The claims a program of `.agent/hook.toml` stands on. */
  ofAgentHook(file: string, name: string): readonly string[];
}

/** Collects what needs trust, and looks where names lead. What a file holds is looked at when somebody asks. */
export function claimsOf(read: ReadConfig, inputs: Inputs): Claims {
  const project = read.project?.root ?? read.cwd;
  const all = new Map<string, Claim>();
  const short = (file: string): string => relative(project, file);
  const keyId = (file: string, key: string): string => `key ${short(file)} ${key}`;
  const useId = (file: string, name: string): string => `use ${short(file)} ${name}`;
  const agentId = (file: string, name: string): string => `agent ${short(file)} ${name}`;
  const definitionId = ({ scope }: Layer, { definition }: LayerEntry): string =>
    `definition ${scope} ${definition.name}`;
  const site = (root: string): NamingSite => ({ root, project, inputs });

  const putFile = (file: string, known?: string): string => {
    const id = `file ${short(file)}`;
    const value = (): string => known ?? inputs.see("file", file).value;
    all.set(id, {
      id,
      kind: "file",
      name: short(file),
      file,
      needs: [],
      // A project that was never trusted must not cost the reading of whatever it names.
      get hash() {
        return sha256(value());
      },
      get problem() {
        return fileProblem(value());
      },
    });
    return id;
  };
  const put = (
    claim: Omit<Claim, "hash" | "needs" | "problem">,
    hashed: unknown,
    files: NamedFiles,
  ): void => {
    all.set(claim.id, {
      ...claim,
      hash: sha256(canonicalJson(hashed)),
      needs: (files ?? []).map((file) => putFile(file)),
      problem: files === undefined ? TOO_MANY : undefined,
    });
  };
  const putKey = (place: Pick<Place, "file" | "line">, key: string, value: unknown, files: NamedFiles = []) =>
    put({ id: keyId(place.file, key), kind: "key", name: key, ...at(place), value }, value, files);

  for (const layer of read.layers.filter(({ scope }) => needsTrust(scope))) {
    for (const { name, place, file } of layer.uses) {
      put({ id: useId(place.file, name), kind: "use", name, ...at(place), value: name }, name, []);
      if (file !== undefined) putFile(file.path, file.value);
    }
    for (const entry of layer.entries.filter(({ pack }) => pack === undefined)) {
      const { definition, place, root } = entry;
      const claim = { id: definitionId(layer, entry), kind: "definition", name: definition.name } as const;
      const files = filesOfDefinition(definition, site(root));
      put({ ...claim, ...at(place), value: definition }, [definition, short(root)], files);
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
  if (read.agent !== undefined) {
    const { file, hooks } = read.agent;
    for (const [name, program] of Object.entries(hooks)) {
      const files = filesOfArguments([program.command, ...program.args], site(read.cwd));
      put({ id: agentId(file, name), kind: "agent_hook", name, file, value: program }, program, files);
    }
  }

  /** What the contents of a used file stand on: its bytes, and the item of `use` that names it. */
  const ofFile = (layer: Layer, file: string): readonly string[] => {
    const use = layer.uses.find((item) => item.file?.path === file);
    if (use === undefined) return [];
    return [`file ${short(file)}`, useId(use.place.file, use.name), ...ofFile(layer, use.place.file)];
  };
  const closed = (ids: readonly string[]): readonly string[] => [
    ...new Set(ids.flatMap((id) => [id, ...(all.get(id)?.needs ?? [])])),
  ];
  return {
    root: project,
    all,
    ofEntry: (layer, entry) => {
      if (!needsTrust(layer.scope)) return [];
      const { pack, place } = entry;
      const own = pack === undefined ? definitionId(layer, entry) : useId(place.file, pack);
      return closed([own, ...ofFile(layer, place.file)]);
    },
    ofKey: (layer, file, key) =>
      needsTrust(layer.scope) ? closed([keyId(file, key), ...ofFile(layer, file)]) : [],
    ofAgentHook: (file, name) => closed([agentId(file, name)]),
  };
}

function at({ file, line }: Pick<Place, "file" | "line">) {
  return { file, line };
}
