import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs a program in the project's root and ends this process when it fails. Programs of node_modules/.bin are found
 * by their name.
 *
 * @param {string} program
 * @param {...string} args
 */
export function run(program, ...args) {
  const result = spawnSync(pathOf(program), args, { cwd: root, stdio: "inherit" });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    console.error(`\n${program} ${args.join(" ")} failed.`);
    process.exit(result.status ?? 1);
  }
}

/**
 * Runs a program quietly under a heading; when it fails, shows what it said and ends this process.
 *
 * @param {string} heading
 * @param {string} program
 * @param {...string} args
 */
export function step(heading, program, ...args) {
  process.stdout.write(`${heading.padEnd(34, " ")}`);
  const started = performance.now();
  const result = spawnSync(pathOf(program), args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (result.error) throw result.error;
  if (result.status === 0) {
    console.log(`ok ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return;
  }
  console.log("failed");
  console.error(`\n$ ${program} ${args.join(" ")}\n${result.stdout}${result.stderr}`);
  process.exit(result.status ?? 1);
}

/** @param {string} program */
function pathOf(program) {
  const own = fileURLToPath(new URL(`../node_modules/.bin/${program}`, import.meta.url));
  return existsSync(own) ? own : program;
}
