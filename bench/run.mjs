// `npm run bench [-- words of a name …] [--install]`. Exit code 1: a bound is missed. 2: a peer is not installed.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { judge } from "./benchmark.mjs";
import { table } from "./table.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const words = process.argv.slice(2);
const install = words.includes("--install");
const wanted = words.filter((word) => word !== "--install").map((word) => word.toLowerCase());

/** @type {{ file: string, benchmark: import("./benchmark.mjs").Benchmark }[]} */
const chosen = [];
const names = [];
for (const file of readdirSync(here).filter((name) => name.endsWith(".bench.mjs"))) {
  /** @type {{ default: readonly import("./benchmark.mjs").Benchmark[] }} */
  const { default: benchmarks } = await import(new URL(file, import.meta.url).href);
  for (const benchmark of benchmarks) {
    names.push(benchmark.name);
    if (wanted.length === 0 || wanted.some((word) => benchmark.name.toLowerCase().includes(word)))
      chosen.push({ file, benchmark });
  }
}
if (chosen.length === 0) {
  console.error(
    `No benchmark is called like "${wanted.join('" or "')}". There are:\n  ${names.join("\n  ")}`,
  );
  process.exit(1);
}

if (install)
  execFileSync("npm", ["ci", "--prefix", `${here}peers`, "--no-audit", "--no-fund"], { stdio: "inherit" });
for (const peer of new Set(chosen.flatMap(({ benchmark }) => benchmark.peers ?? []))) {
  if (existsSync(`${here}peers/node_modules/${peer}`)) continue;
  console.error(
    `${peer} is not installed. Install the peers with: npm ci --prefix bench/peers (or add --install).`,
  );
  process.exit(2);
}

// More certificates cost every process 77 ms at its start on Node 20.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
const results = chosen.map(({ file, benchmark }) => {
  const output = execFileSync(process.execPath, [`${here}one.mjs`, `./${file}`, benchmark.name], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return judge(benchmark, JSON.parse(output));
});

console.log(table(results));
writeFileSync(`${here}results.json`, `${JSON.stringify({ node: process.version, results }, null, 2)}\n`);
if (!results.every(({ holds }) => holds)) process.exitCode = 1;
