// `npm run bench [-- names of files …] [--install] [--write]`: prints each row as soon as it is measured. `--write` puts
// the rows into docs/contributing/performance.md. Exit code 1: a bound is missed, or a row could not be measured. 2: a peer is not installed.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { judge } from "./benchmark.mjs";
import { line, withMeasured } from "./page.mjs";

const PAGE = new URL("../docs/contributing/performance.md", import.meta.url);
const here = fileURLToPath(new URL(".", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { install: { type: "boolean" }, write: { type: "boolean" } },
});

const names = readdirSync(here).flatMap((file) => /^(.+)\.bench\.mjs$/.exec(file)?.[1] ?? []);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}. There are: ${names.join(", ")}.`);
  process.exit(1);
}
const chosen = await Promise.all(
  (positionals.length > 0 ? names.filter((name) => positionals.includes(name)) : names).map(async (name) => {
    /** @type {{ default: readonly import("./benchmark.mjs").Benchmark[] }} */
    const { default: benchmarks } = await import(`./${name}.bench.mjs`);
    return { name, benchmarks: benchmarks.filter(({ long }) => long !== true || positionals.includes(name)) };
  }),
);

if (values.install)
  execFileSync("npm", ["ci", "--prefix", `${here}peers`, "--no-audit", "--no-fund"], { stdio: "inherit" });
const peers = chosen.flatMap(({ benchmarks }) => benchmarks.flatMap((benchmark) => benchmark.peers ?? []));
const missing = peers.find((peer) => !existsSync(`${here}peers/node_modules/${peer}`));
if (missing !== undefined) {
  console.error(`${missing} is not installed. Install the peers with: npm run bench -- --install`);
  process.exit(2);
}

// More certificates cost every process 77 ms at its start on Node 20.
const { NODE_EXTRA_CA_CERTS, NODE_OPTIONS: _, ...rest } = process.env;
const env = NODE_EXTRA_CA_CERTS === undefined ? rest : { ...rest, BENCH_CA_CERTS: NODE_EXTRA_CA_CERTS };
const start = performance.now();
let failures = 0;
/** Each benchmark has a process of its own, so a failed one costs only its own row. @param {string} name */
function resultOf(name, /** @type {import("./benchmark.mjs").Benchmark} */ benchmark) {
  try {
    const output = execFileSync(process.execPath, [`${here}one.mjs`, `./${name}.bench.mjs`, benchmark.name], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    const figures = JSON.parse(output);
    if ("skipped" in figures) {
      console.log(`skipped  ${benchmark.name}: ${figures.skipped}`);
      return [];
    }
    const result = judge(benchmark, figures);
    console.log(line(result));
    return [result];
  } catch {
    failures += 1;
    console.log(`FAILED  ${benchmark.name}`);
    return [];
  }
}
const measured = chosen
  .filter(({ benchmarks }) => benchmarks.length > 0)
  .map(({ name, benchmarks }) => {
    console.log(`\n${name}`);
    return { name, results: benchmarks.flatMap((benchmark) => resultOf(name, benchmark)) };
  });

const results = measured.flatMap((file) => file.results);
const over = results.filter(({ holds }) => !holds);
const seconds = Math.round((performance.now() - start) / 1000);
console.log(
  `\n${results.length} rows in ${seconds} s, ${over.length} over their bounds, ${failures} failed.`,
);
if (values.write) {
  const date = new Date().toISOString().slice(0, 10);
  const where = `${date}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  const page = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  writeFileSync(PAGE, withMeasured(page, measured, { names, where }));
}
if (over.length + failures > 0) process.exitCode = 1;
