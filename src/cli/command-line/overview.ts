import type { CommandTable } from "./command.ts";
import { columns, padded } from "./screen/text.ts";

/** All commands on one screen, as `--help` shows them. */
export function overview({ groups, start }: CommandTable): string {
  const all = groups.flatMap(({ lines }) => lines);
  const width = Math.max(...all.map(([usage]) => columns(usage)));
  const line = ([usage, does]: readonly [string, string]): string => `  ${padded(usage, width)}  ${does}`;
  return [
    "Tenterhook decides what your AI agents may do.",
    "Usage: tenterhook [COMMAND]           tenterhook COMMAND --help for each",
    "",
    ...groups.flatMap(({ title, lines }) => [title, ...lines.map(line), ""]),
    "Examples",
    ...start.examples.map(([example]) => `  ${example}`),
  ].join("\n");
}
