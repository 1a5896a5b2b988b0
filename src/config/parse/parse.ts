import { type ParsedFile, syntaxError } from "./located.ts";
import { parseJson } from "./parse-json.ts";
import { parseToml } from "./parse-toml.ts";
import { parseYaml } from "./parse-yaml.ts";

/** The formats of a configuration file, by suffix. */
export const FORMATS: ReadonlyMap<string, (file: string, text: string) => ParsedFile> = new Map([
  [".yaml", parseYaml],
  [".yml", parseYaml],
  [".json", parseJson],
  [".jsonc", parseJson],
  [".toml", parseToml],
]);

/**
 * Reads the text of a configuration file in the format its suffix names.
 *
 * @throws ConfigError `config_syntax` with line, column and the parser's reason; never another error, whatever the text.
 */
export function parseText(file: string, text: string): ParsedFile {
  const suffix = [...FORMATS.keys()].find((ending) => file.toLowerCase().endsWith(ending));
  const parse = FORMATS.get(suffix ?? "");
  if (parse === undefined) {
    throw syntaxError(
      file,
      { line: 1, column: 1 },
      `A configuration file ends in ${[...FORMATS.keys()].join(", ")}.`,
    );
  }
  return parse(file, text);
}
