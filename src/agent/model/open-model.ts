import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { TenterhookError } from "../../core/base/errors.ts";
import { isAddress, type ModelName, readModelName } from "./model-name.ts";
import { COMPATIBLE, type OpenedModel, PROVIDERS, type Provider } from "./providers.ts";

/** The variables a model's key and address are taken from. */
export type ModelEnvironment = Readonly<Record<string, string | undefined>>;

/** Where a model is, besides its name. */
export interface ModelPlace {
  readonly environment: ModelEnvironment;
  /** Where it is served, when its provider is unknown: the name is then the server's own. */
  readonly base_url?: string;
  /** The folder a `scripted:` file starts from. Default: the folder this process works in. */
  readonly root?: string;
}

/**
 * Opens a model by name: `anthropic/…`, `openai/…`, `google/…`, `ollama/…`, `openai-compatible:<url>/<model>`,
 * `scripted:<file>`, or a short name of Claude Code (`haiku`, `sonnet`, `opus`). The provider's package is loaded here; nothing is sent yet.
 *
 * @throws TenterhookError `model_unavailable` with what {@link modelProblem} says; `bad_script`.
 */
export async function openModel(
  name: string,
  { signal, ...place }: ModelPlace & { readonly signal?: AbortSignal },
): Promise<OpenedModel> {
  signal?.throwIfAborted();
  const problem = modelProblem(name, place);
  if (problem !== undefined) throw new TenterhookError("model_unavailable", problem);
  const { environment } = place;
  const named = namedModel(name, place);
  switch (named.type) {
    case "scripted": {
      const { scriptedFileModel } = await import("./script-file.ts");
      return scriptedFileModel(fileOf(named.file, place));
    }
    case "provider": {
      const { provider, model } = named;
      const key = keyIn(provider.keys, environment);
      return provider.open({ model, base_url: addressOf(provider, environment), key });
    }
    case "address":
      return COMPATIBLE.open({ ...named, key: keyIn(COMPATIBLE.keys, environment) });
    case "unknown":
      throw new TenterhookError("model_unavailable", named.problem);
    default:
      return named satisfies never;
  }
}

/**
 * Why a model can't answer for certain, in a sentence: an unknown provider, a missing key, a script that is not there.
 * Commands that write a model's name into a configuration call it too: a key may be missing on this machine.
 */
export function modelProblem(name: string, place: ModelPlace): string | undefined {
  const named = namedModel(name, place);
  switch (named.type) {
    case "unknown":
      return named.problem;
    case "address":
      return undefined;
    case "scripted": {
      const file = fileOf(named.file, place);
      return existsSync(file) ? undefined : `The script ${file} is not there.`;
    }
    case "provider":
      return providerProblem(name, named.provider, place.environment);
    default:
      return named satisfies never;
  }
}

/** Parses a name. One that says only a size is the model of the first provider whose key is set. */
function namedModel(
  name: string,
  { environment, base_url }: ModelPlace,
): Exclude<ModelName, { readonly type: "size" }> {
  const named = readModelName(name, base_url);
  if (named.type !== "size") return named;
  const all = [...PROVIDERS.values()].flatMap((provider) => {
    const model = provider.sizes?.[named.size];
    return model === undefined ? [] : [{ type: "provider" as const, provider, model }];
  });
  const keys = all.flatMap(({ provider }) => provider.keys);
  return (
    all.find(({ provider }) => keyIn(provider.keys, environment) !== undefined) ?? {
      type: "unknown",
      problem: needsKey(name, keys),
    }
  );
}

function needsKey(name: string, keys: readonly string[]): string {
  return `The model ${name} needs a key: set ${keys.join(" or ")}.`;
}

function providerProblem(
  name: string,
  provider: Provider,
  environment: ModelEnvironment,
): string | undefined {
  const { keys, keyless, base_url_variable } = provider;
  if (keyless !== true && keyIn(keys, environment) === undefined) return needsKey(name, keys);
  if (!isAddress(addressOf(provider, environment)))
    return `The variable ${base_url_variable} is not an address: it must begin with http:// or https://.`;
  return undefined;
}

function keyIn(names: readonly string[], environment: ModelEnvironment): string | undefined {
  return names.map((name) => environment[name]?.trim()).find((key) => key !== undefined && key !== "");
}

/** A proxy is often named without the version that the provider's own address ends with. */
function addressOf({ base_url, base_url_variable }: Provider, environment: ModelEnvironment): string {
  const given = environment[base_url_variable]?.trim();
  if (given === undefined || given === "") return base_url;
  const bare = given.replace(/\/+$/, "");
  return isAddress(bare) && new URL(bare).pathname === "/" ? bare + new URL(base_url).pathname : bare;
}

function fileOf(file: string, { root = process.cwd() }: ModelPlace): string {
  return resolve(root, file);
}
