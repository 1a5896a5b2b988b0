// How results are shown: as lines of a terminal, and as docs/contributing/performance.md.

const HEAD = `# Performance

Written by \`npm run bench -- --write\`. Each row compares Tenterhook with something else that was measured in turns with it, on the
same machine: the ratio is what it took, divided by what the other took. The bounds guard against decay and are checked by
\`npm run bench\`. Only ratios mean something on another machine.
`;

/** @typedef {import("./benchmark.mjs").Result} Result */

/**
 * A result as a line for a terminal.
 *
 * @param {Result} result
 */
export function line(result) {
  const { name, against, ours, theirs, unit, holds } = result;
  const figures = `${figure(ours, unit)} : ${figure(theirs, unit)}`;
  const verdict = holds ? "ok  " : "OVER";
  return `${verdict}  ${ratioOf(result).padStart(6)}  ${boundOf(result).padEnd(20)}  ${name}; against ${against} (${figures})`;
}

/**
 * The page with the rows of the files that were measured; those of other files stay as they are.
 *
 * @param {string} page As it is; empty when there is none.
 * @param {readonly { name: string, results: readonly Result[] }[]} measured
 * @param {{ names: readonly string[], where: string }} about All files that there are, and when and where they were measured.
 */
export function withMeasured(page, measured, { names, where }) {
  const sections = new Map(
    page
      .split(/^(?=## )/m)
      .slice(1)
      .map((section) => [/^## (.+)$/m.exec(section)?.[1] ?? "", section.trimEnd()]),
  );
  for (const { name, results } of measured) sections.set(name, sectionOf(name, results, where));
  return `${[HEAD.trimEnd(), ...names.flatMap((name) => sections.get(name) ?? [])].join("\n\n")}\n`;
}

/**
 * @param {string} name
 * @param {readonly Result[]} results
 * @param {string} where
 */
function sectionOf(name, results, where) {
  const rows = results.map((result) => [
    result.name,
    result.against,
    ratioOf(result),
    boundOf(result) + (result.holds ? "" : ", **over**"),
  ]);
  const table = [["what", "against", "ratio", "bound"], ["---", "---", "---", "---"], ...rows];
  return `## ${name}\n\n${where}\n\n${table.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`;
}

/** @param {Result} result */
function ratioOf({ ratio, atLeast }) {
  return atLeast === true ? `1 : ${rounded(1 / ratio)}` : ratio.toFixed(2);
}

/** @param {Result} result */
function boundOf({ bound, atLeast, orAtMost, unit }) {
  if (atLeast === true) return `at least 1 : ${rounded(bound)}`;
  return orAtMost === undefined ? `at most ${bound}` : `at most ${bound} or ${figure(orAtMost, unit)}`;
}

/**
 * @param {number} value
 * @param {string} unit
 */
function figure(value, unit) {
  return `${unit === "ms" ? value.toFixed(1) : rounded(value)} ${unit}`;
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value).toLocaleString("en");
}
