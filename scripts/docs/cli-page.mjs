import { importSource } from "./source-tables.mjs";

/** @typedef {import("../../src/cli/command-line/command.ts").CommandRow} CommandRow */

/**
 * The reference page of the command line, from the table the program itself is made of.
 *
 * @param {string} root
 * @param {<Row>(items: readonly Row[], cells: (row: Row) => readonly string[]) => string} rows
 */
export async function cliPage(root, rows) {
  /** @type {typeof import("../../src/cli/table/table.ts")} */
  const { COMMAND_TABLE } = await importSource(root, "cli/table/table.ts");
  /** @type {typeof import("../../src/cli/command-line/command.ts")} */
  const { optionsOf } = await importSource(root, "cli/command-line/command.ts");
  /** @type {typeof import("../../src/cli/command-line/overview.ts")} */
  const { overview } = await importSource(root, "cli/command-line/overview.ts");
  const { groups, unlisted, habits } = COMMAND_TABLE;
  /** @type {(commands: readonly CommandRow[]) => string} */
  const sections = (commands) => commands.map((row) => section(row, "", "###")).join("\n");
  return [
    `# Command line\n\n\`\`\`text\n${overview(COMMAND_TABLE)}\n\`\`\`\n\nEvery command has these:\n\n${table(optionsOf(COMMAND_TABLE.start))}`,
    ...groups.map(({ title, commands }) => `## ${title}\n\n${sections(commands)}`),
    `## For agents, shells and scripts\n\n${sections(unlisted)}`,
    `## Other words\n\nThese do the same, for who is used to them:\n\n| you type | it runs |\n| --- | --- |\n${rows(habits, ([words, command]) => [`\`${words}\``, `\`${command}\``])}`,
  ].join("\n");

  /** @param {CommandRow} row @param {string} above @param {string} mark @returns {string} */
  function section(row, above, mark) {
    const { name, arguments: given = [], summary, details, options = [], examples, commands = [] } = row;
    const path = `${above}${name}`;
    return [
      `${mark} ${path}`,
      "",
      `\`tenterhook ${[path, ...given.map(({ usage }) => usage)].join(" ")}\``,
      "",
      summary,
      ...(details === undefined ? [] : ["", details]),
      ...(given.length === 0
        ? []
        : ["", ...given.map(({ usage, description }) => `- \`${usage}\`: ${description}`)]),
      ...(options.length === 0 ? [] : ["", table(options).trimEnd()]),
      "",
      "```sh",
      ...examples.map(([line, does]) => `${line}   # ${does}`),
      "```",
      "",
      ...commands.filter(({ hidden }) => hidden !== true).map((one) => section(one, `${path} `, "####")),
    ].join("\n");
  }

  /** @param {readonly import("../../src/cli/command-line/command.ts").CommandOption[]} options */
  function table(options) {
    return `| option | does |\n| --- | --- |\n${rows(options, ({ flags, description, choices }) => [
      `\`${flags}\``,
      choices === undefined ? description : `${description} One of ${choices.join(", ")}.`,
    ])}`;
  }
}
