const HEAD = ["benchmark", "ours", "theirs", "against", "ratio", "bound", "verdict"];

/**
 * The results as one table for a terminal.
 *
 * @param {readonly import("./benchmark.mjs").Result[]} results
 */
export function table(results) {
  const rows = results.map((result) => [
    result.name,
    figure(result.ours, result.unit),
    figure(result.theirs, result.unit),
    result.against,
    result.atLeast === true ? `1 : ${rounded(1 / result.ratio)}` : result.ratio.toFixed(2),
    boundOf(result),
    result.holds ? "holds" : "MISSED",
  ]);
  const lines = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [text[0], widths.map((width) => "-".repeat(width)).join("  "), ...text.slice(1)].join("\n");
}

/** @param {import("./benchmark.mjs").Result} result */
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
