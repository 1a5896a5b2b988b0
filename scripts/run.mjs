import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
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
  if (succeeds(program, ...args)) return;
  console.error(`\n${program} ${args.join(" ")} failed.`);
  process.exit(1);
}

/**
 * The same, and goes on when it fails.
 *
 * @param {string} program
 * @param {...string} args
 * @returns {boolean} whether it went well.
 */
export function succeeds(program, ...args) {
  const { error, status } = spawnSync(pathOf(program), args, { cwd: root, stdio: "inherit" });
  if (error) throw error;
  return status === 0;
}

/**
 * Runs a program quietly and prints a heading when it went well. When it fails, shows its output.
 *
 * @param {string} heading
 * @param {string} program
 * @param {...string} args
 * @returns {Promise<boolean>} whether it went well; if not, this process ends with an error, too.
 */
export async function step(heading, program, ...args) {
  const started = performance.now();
  const child = spawn(pathOf(program), args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const [code] = await once(child, "close");
  if (code === 0) {
    console.log(`${heading.padEnd(34, " ")}ok ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return true;
  }
  console.error(`${heading.padEnd(34, " ")}failed\n\n$ ${program} ${args.join(" ")}\n${output}`);
  process.exitCode = 1;
  return false;
}

/** @param {string} program */
function pathOf(program) {
  const own = fileURLToPath(new URL(`../node_modules/.bin/${program}`, import.meta.url));
  return existsSync(own) ? own : program;
}
