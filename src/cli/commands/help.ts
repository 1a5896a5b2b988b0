import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { COLOURS } from "../../terminal/paint.ts";
import { type CommandRun, listedCommands } from "../command-line/command.ts";
import { unknownName, usageError } from "../command-line/usage-error.ts";

/** Longer lines are hard to read. */
const WIDEST = 100;

/** `tenterhook help TOPIC`: a page of the guide, which ships with the package. */
export const run: CommandRun = async ({ names, table }) => {
  const [topic = ""] = names;
  const folder = guideFolder();
  const topics = readdirSync(folder).flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? []);
  const habit = table.habits.find(([words]) => words === topic);
  if (!topics.includes(topic) && habit !== undefined)
    throw usageError(
      `${topic} is called ${habit[1]} now.`,
      `tenterhook ${habit[1].replace(/ -.*/, "")} --help shows it.`,
    );
  if (!topics.includes(topic))
    throw unknownName(
      "command or topic",
      topic,
      [...listedCommands(table).map(({ name }) => name), ...topics],
      `Topics: ${topics.sort().join(", ")}.`,
    );
  const file = join(folder, `${topic}.md`);
  const text = readFileSync(file, "utf8");
  const { markdownLines } = await import("../../terminal/screens.ts");
  return {
    json: { topic, file, text },
    blocks: ({ width }) => markdownLines(forScreen(text), Math.min(width, WIDEST), COLOURS),
  };
};

/** A page without its pictures and the addresses of other pages. */
function forScreen(text: string): string {
  return text
    .replaceAll(/^!\[.*\]\(.*\)$/gm, "")
    .replaceAll(/\[([^\]]*)\]\((?!https?:)[^)\s]*\)/g, "$1")
    .split(/^( *```[\s\S]*?^ *```)$/m)
    .map((part, at) => (at % 2 === 1 ? part : inWholeParagraphs(part)))
    .join("");
}

/** A page breaks its lines where an editor ends; a screen has a width of its own. */
function inWholeParagraphs(text: string): string {
  return text.replaceAll(/(?<=^[^#|\n].*)\n *(?=[^\s|#>*\d-])/gm, " ");
}

function guideFolder(): string {
  const schema = createRequire(import.meta.url).resolve("tenterhook/hooks.schema.json");
  return join(dirname(schema), "..", "docs", "guides");
}
