import { didYouMean } from "../../core/base/suggest.ts";
import { MODEL_SIZES, type ModelSize, PROVIDERS, type Provider } from "./providers.ts";

export type ModelName =
  | { readonly type: "scripted"; readonly file: string }
  | { readonly type: "provider"; readonly provider: Provider; readonly model: string }
  | { readonly type: "size"; readonly size: ModelSize }
  | { readonly type: "address"; readonly base_url: string; readonly model: string }
  | { readonly type: "unknown"; readonly problem: string };

const SCRIPTED = "scripted:";
const COMPATIBLE_PREFIX = "openai-compatible:";
const FORMS = "scripted:<file>, openai-compatible:<url>/<model>";

/**
 * Parses a model name: `provider/model`, `openai-compatible:<url>/<model>`, `scripted:<file>`, or a name as Claude Code
 * has them (`haiku`, `claude-…`). With an address, the whole name is the server's name of the model.
 */
export function readModelName(name: string, base_url?: string): ModelName {
  if (/[\s\p{Cc}]/u.test(name.replace(/^scripted:.*$/s, "")) || name === "")
    return unknown(`${JSON.stringify(name)} is not the name of a model.`);
  if (base_url !== undefined) return atAddress(base_url, name);
  if (name.startsWith(SCRIPTED)) {
    const file = name.slice(SCRIPTED.length);
    return file === "" ? unknown(`${SCRIPTED} needs a file.`) : { type: "scripted", file };
  }
  if (name.startsWith(COMPATIBLE_PREFIX)) return compatible(name.slice(COMPATIBLE_PREFIX.length));
  const size = MODEL_SIZES.find((each) => each === name);
  if (size !== undefined) return { type: "size", size };
  if (/^claude-[^/]+$/.test(name)) return readModelName(`anthropic/${name}`);
  const slash = name.indexOf("/");
  const prefix = slash === -1 ? name : name.slice(0, slash);
  const provider = PROVIDERS.get(prefix);
  const known = [...PROVIDERS.keys()];
  if (provider === undefined || slash === -1 || slash === name.length - 1) {
    const problem =
      provider !== undefined
        ? `${JSON.stringify(name)} names no model: write ${prefix}/<model>.`
        : slash === -1
          ? `${JSON.stringify(name)} names no provider: write provider/model.`
          : `There is no provider ${JSON.stringify(prefix)}.${didYouMean(prefix, known)}`;
    return unknown(`${problem} Known: ${known.map((each) => `${each}/<model>`).join(", ")}, ${FORMS}.`);
  }
  return { type: "provider", provider, model: name.slice(slash + 1) };
}

/** The address ends after its version (`/v1`), otherwise at the last slash: model names have slashes too. */
function compatible(text: string): ModelName {
  const version = /^.*?\/v\d+[a-z]*(?=\/)/.exec(text)?.[0];
  const end = version?.length ?? text.lastIndexOf("/");
  const model = end === -1 ? "" : text.slice(end + 1);
  if (model === "" || text[end - 1] === "/")
    return unknown(`${COMPATIBLE_PREFIX}${text} names no model: write ${COMPATIBLE_PREFIX}<url>/<model>.`);
  return atAddress(text.slice(0, end), model);
}

function atAddress(base_url: string, model: string): ModelName {
  return isAddress(base_url)
    ? { type: "address", base_url, model }
    : unknown(
        `${JSON.stringify(base_url)} is not an address of a model: it must begin with http:// or https://.`,
      );
}

/** True for a valid http address without user and password, which would end up in messages. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}

function unknown(problem: string): ModelName {
  return { type: "unknown", problem };
}
