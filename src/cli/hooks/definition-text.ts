import { readFile } from "node:fs/promises";
import { isMap, isSeq, parseDocument, stringify } from "yaml";
import type { ConfigDefinition } from "../../config.ts";

/** A definition as it was written; where that can't be cut out of its file, the same in YAML. */
export async function definitionText(defined: ConfigDefinition): Promise<string> {
  const written = defined.pack === undefined ? await fromYaml(defined) : undefined;
  return (written ?? stringify(defined.definition, { lineWidth: 0 })).trimEnd();
}

async function fromYaml({ origin: { file }, definition }: ConfigDefinition): Promise<string | undefined> {
  if (!/\.ya?ml$/i.test(file)) return undefined;
  const text = await readFile(file, "utf8").catch(() => "");
  const list = parseDocument(text, { logLevel: "silent" }).getIn(["hooks", "definitions"]);
  const node = isSeq(list)
    ? list.items.find((item) => isMap(item) && item.get("name") === definition.name)
    : undefined;
  if (!isMap(node) || !node.range) return undefined;
  const [start, end] = node.range;
  const column = start - (text.lastIndexOf("\n", start - 1) + 1);
  return text
    .slice(start, end)
    .split("\n")
    .map((line, at) => (at > 0 && line.slice(0, column).trim() === "" ? line.slice(column) : line))
    .join("\n");
}
