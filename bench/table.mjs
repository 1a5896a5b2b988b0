const HEAD = ["benchmark", "ours", "theirs", "against", "ratio", "bound", "verdict"];

/**
 * The results as one table for a terminal.
 *
 * @param {readonly import("./benchmark.mjs").Result[]} results
 */
export function table(results) {
  const rows = results.map(({ name, against, ours, theirs, unit, ratio, bound, orAtMost, holds }) => [
    name,
    figure(ours, unit),
    figure(theirs, unit),
    against,
    ratio.toFixed(2),
    orAtMost === undefined ? `${bound}` : `${bound} or ${figure(orAtMost, unit)}`,
    holds ? "holds" : "MISSED",
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

/**
 * @param {number} value
 * @param {string} unit
 */
function figure(value, unit) {
  return `${unit === "ns" ? Math.round(value).toLocaleString("en") : value.toFixed(1)} ${unit}`;
}
