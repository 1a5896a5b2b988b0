import { extname } from "node:path";
import { stringify as stringifyToml } from "smol-toml";
import { isMap, isSeq, parseDocument, stringify } from "yaml";
import { columnOf, endLine, splice } from "./flow-list.ts";
import { setJson } from "./set-json.ts";

export type WrittenDefinition = Readonly<Record<string, unknown>>;

type Add = (text: string, definitions: readonly WrittenDefinition[]) => string;

const ADDERS: ReadonlyMap<string, Add> = new Map<string, Add>([
  [".json", addToJson],
  [".jsonc", addToJson],
  [".toml", addToToml],
]);

/**
 * The text of a configuration file with more definitions at the end of `hooks.definitions`. Comments and everything else
 * stay as they are written.
 *
 * @throws ConfigError `config_syntax` for a file that can't be read.
 */
export function addDefinitions(
  file: string,
  text: string,
  definitions: readonly WrittenDefinition[],
): string {
  return (ADDERS.get(extname(file).toLowerCase()) ?? addToYaml)(text, definitions);
}

function addToYaml(text: string, definitions: readonly WrittenDefinition[]): string {
  const document = parseDocument(text, { logLevel: "silent" });
  const hooks = document.get("hooks");
  const list = isMap(hooks) ? hooks.get("definitions") : undefined;
  const last = isSeq(list) && list.flow !== true ? list.items.at(-1) : undefined;
  if (isSeq(list) && isMap(last) && last.range && list.range) {
    const indent = " ".repeat(columnOf(text, list.range[0]));
    const end = text.slice(0, last.range[1]).trimEnd().length;
    const line = text.indexOf("\n", end);
    const at = line === -1 ? text.length : line;
    const lines = stringify(definitions, { lineWidth: 0 }).trimEnd().split("\n");
    return splice(
      text,
      { start: at, end: at },
      lines.map((one) => `\n${one === "" ? "" : indent}${one}`).join(""),
    );
  }
  if (!document.has("hooks"))
    return `${endLine(text)}${stringify({ hooks: { definitions } }, { lineWidth: 0 })}`;
  const all = isSeq(list) ? [...list.toJSON(), ...definitions] : definitions;
  document.setIn(["hooks", "definitions"], document.createNode(all));
  return document.toString({ lineWidth: 0 });
}

function addToJson(text: string, definitions: readonly WrittenDefinition[]): string {
  return definitions.reduce<string>(
    (left, definition) => setJson(left, ["hooks", "definitions", -1], definition, { isArrayInsertion: true }),
    text,
  );
}

/** Appends tables. A list in brackets can't be extended this way; the check afterwards reports it. */
function addToToml(text: string, definitions: readonly WrittenDefinition[]): string {
  const before = endLine(text);
  return `${before}${before === "" ? "" : "\n"}${stringifyToml({ hooks: { definitions } })}`;
}
