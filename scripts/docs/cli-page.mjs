import { importSource } from "./source-tables.mjs";

/**
 * The reference page of the command line, from the table the program itself is made of.
 *
 * @param {string} root
 * @param {<Row>(items: readonly Row[], cells: (row: Row) => readonly string[]) => string} rows
 */
export async function cliPage(root, rows) {
  /** @type {typeof import("../../src/cli/commands/commands.ts")} */
  const { COMMANDS } = await importSource(root, "cli/commands/commands.ts");
  const { COMMON_OPTIONS } = await importSource(root, "cli/command-line/command.ts");
  const options = (
    /** @type {readonly import("../../src/cli/command-line/command.ts").CommandOption[]} */ list,
  ) =>
    `| option | does |\n| --- | --- |\n${rows(list, ({ flags, description, choices }) => [
      `\`${flags}\``,
      choices === undefined ? description : `${description} One of ${choices.join(", ")}.`,
    ])}`;
  const sections = COMMANDS.map(
    ({ name, arguments: given = [], summary, details, options: own = [], examples }) =>
      [
        `## ${name}`,
        "",
        `\`tenterhook ${[name, ...given.map(([usage]) => usage)].join(" ")}\``,
        "",
        summary,
        ...(details === undefined ? [] : ["", details]),
        ...(given.length === 0
          ? []
          : ["", ...given.map(([usage, description]) => `- \`${usage}\`: ${description}`)]),
        ...(own.length === 0 ? [] : ["", options(own).trimEnd()]),
        "",
        "```sh",
        ...examples.map(([line, does]) => `${line}   # ${does}`),
        "```",
        "",
      ].join("\n"),
  );
  return `# Command line\n\nEvery command has these:\n\n${options(COMMON_OPTIONS)}\n${sections.join("\n")}`;
}
