import { extname } from "node:path";
import { isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { parseText } from "../parse/parse.ts";
import type { ListKey } from "./flow-list.ts";
import { addToJson, removeFromJson } from "./json-list.ts";
import { addToToml, removeFromToml } from "./toml-list.ts";
import { addToYaml, removeFromYaml } from "./yaml-list.ts";

interface Editor {
  /** Ways to add a name, the best first. Each result is parsed to see whether it is right. */
  readonly add: (text: string, key: ListKey, name: string) => Iterable<string>;
  readonly remove: (text: string, key: ListKey, name: string) => string;
}

const YAML: Editor = { add: addToYaml, remove: removeFromYaml };
const JSON_WITH_COMMENTS: Editor = { add: addToJson, remove: removeFromJson };
const EDITORS: ReadonlyMap<string, Editor> = new Map([
  [".yaml", YAML],
  [".yml", YAML],
  [".json", JSON_WITH_COMMENTS],
  [".jsonc", JSON_WITH_COMMENTS],
  [".toml", { add: addToToml, remove: removeFromToml }],
]);

/**
 * The text of a configuration file with a name put on, or taken off, a list of `hooks`. Comments and everything else stay
 * as they are written; a file that says so already is returned unchanged.
 *
 * @throws ConfigError `config_syntax` for a file that can't be read; TenterhookError `write_failed` for one that can only
 * be changed by hand.
 */
export function editList(file: string, text: string, key: ListKey, name: string, listed: boolean): string {
  const editor = EDITORS.get(extname(file).toLowerCase()) ?? YAML;
  const before = namesIn(file, text, key);
  if (before.includes(name) === listed) return text;
  const expected = listed ? [...before, name] : before.filter((other) => other !== name);
  for (const edited of listed ? editor.add(text, key, name) : [removed(file, text, key, name, editor)])
    if (isRight(file, text, edited, key, expected)) return edited;
  throw new TenterhookError(
    "write_failed",
    `hooks.${key} of ${file} is written in a way that can't be changed here.`,
    {
      hint: `Edit the file by hand: hooks.${key} is to ${listed ? "have" : "lack"} ${JSON.stringify(name)}.`,
    },
  );
}

function removed(file: string, text: string, key: ListKey, name: string, { remove }: Editor): string {
  let edited = text;
  for (let before = "", twice = true; twice && edited !== before; ) {
    before = edited;
    edited = remove(before, key, name);
    twice = isReadable(file, edited) && namesIn(file, edited, key).includes(name);
  }
  return edited;
}

function isRight(
  file: string,
  before: string,
  after: string,
  key: ListKey,
  expected: readonly string[],
): boolean {
  if (!isReadable(file, after)) return false;
  return sameRest(file, before, after, key) && namesIn(file, after, key).join("\n") === expected.join("\n");
}

function isReadable(file: string, text: string): boolean {
  try {
    parseText(file, text);
    return true;
  } catch (error) {
    if (isTenterhookError(error)) return false;
    throw error;
  }
}

export function namesIn(file: string, text: string, key: ListKey): readonly string[] {
  const { value } = parseText(file, text);
  const hooks = isRecord(value) ? value.hooks : undefined;
  const list = isRecord(hooks) ? hooks[key] : undefined;
  return Array.isArray(list)
    ? list.map((item: unknown) => String(isRecord(item) && item.pack !== undefined ? item.pack : item))
    : [];
}

function sameRest(file: string, before: string, after: string, key: ListKey): boolean {
  const rest = (text: string): string => {
    const { value } = parseText(file, text);
    const { hooks, ...others } = isRecord(value) ? value : {};
    const { [key]: _, ...inside } = isRecord(hooks) ? hooks : {};
    return JSON.stringify([others, inside]);
  };
  return rest(before) === rest(after);
}
