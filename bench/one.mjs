// Runs one benchmark in this process: `node bench/one.mjs <file> <name>`. Each gets a process of its own, so that none
// finds caches and garbage that another one left.
import { writeSync } from "node:fs";

const [, , file, name] = process.argv;
/** @type {{ default: readonly import("./benchmark.mjs").Benchmark[] }} */
const { default: benchmarks } = await import(new URL(file ?? "", import.meta.url).href);
const benchmark = benchmarks.find((candidate) => candidate.name === name);
if (benchmark === undefined) throw new Error(`${file} has no benchmark "${name}".`);
const skipped = await benchmark.skip?.();
writeSync(1, JSON.stringify(skipped === undefined ? await benchmark.measure() : { skipped }));
