import { join } from "node:path";
import { build } from "esbuild";

/**
 * The reference page of the command line, from the table the program itself is made of.
 *
 * @param {string} root
 * @param {<Row>(items: readonly Row[], cells: (row: Row) => readonly string[]) => string} rows
 */
export async function cliPage(root, rows) {
  const { COMMANDS, COMMON_OPTIONS } = await commandTable(root);
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

/**
 * What the commands do is not needed to tell of them.
 *
 * @type {import("esbuild").Plugin}
 */
const withoutCommands = {
  name: "without-commands",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/**
 * @param {string} root
 * @returns {Promise<typeof import("../../src/cli/command-line/commands.ts")>}
 */
async function commandTable(root) {
  const { outputFiles } = await build({
    entryPoints: [join(root, "src/cli/command-line/commands.ts")],
    bundle: true,
    format: "esm",
    write: false,
    plugins: [withoutCommands],
  });
  const code = outputFiles.map(({ text }) => text).join("");
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
