import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs a program of node_modules/.bin in the project's root and ends this process when it fails.
 *
 * @param {string} program
 * @param {...string} args
 */
export function run(program, ...args) {
  const result = spawnSync(fileURLToPath(new URL(`../node_modules/.bin/${program}`, import.meta.url)), args, {
    cwd: root,
    stdio: "inherit",
  });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    console.error(`\n${program} ${args.join(" ")} failed.`);
    process.exit(result.status ?? 1);
  }
}
