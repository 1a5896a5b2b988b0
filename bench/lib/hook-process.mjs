// Runs `tenterhook hook` as an agent does: a process for each event, in a trusted project of its own.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { grantTrust, reviewTrust } from "tenterhook/config";
import { stringify } from "yaml";
import { sideBySide } from "../measure.mjs";

export const PROGRAM = fileURLToPath(new URL("../../dist/tenterhook.cjs", import.meta.url));
const ROUNDS = 30;
/** The fastest of so many runs counts: the others waited for other users of the machine. */
const TIMES = 4;

/**
 * A trusted project with these hooks and files, and folders of its own for state and cache.
 *
 * @param {readonly object[]} definitions
 * @param {Readonly<Record<string, string>>} [files]
 */
export async function project(definitions, files = {}) {
  const root = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  const cwd = join(root, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const all = { ...files, ".tenterhook/hooks.yaml": stringify({ hooks: { definitions } }) };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env;
  const environment = {
    ...rest,
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_STATE_HOME: join(root, "state"),
    XDG_CACHE_HOME: join(root, "cache"),
  };
  await grantTrust(await reviewTrust({ cwd, environment }), { environment });
  return { cwd, environment, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/**
 * Milliseconds from the start of a process until it is gone.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} input
 * @param {string} expected A part of its output; empty when there must be none.
 * @param {string} [program] Default: Node.
 * @returns {Promise<number>}
 */
export function timed(args, environment, input, expected, program = process.execPath) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { env: environment, stdio: ["pipe", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", () => {
      const milliseconds = performance.now() - start;
      if (expected === "" ? output === "" : output.includes(expected)) resolve(milliseconds);
      else reject(new Error(`It said ${output || "nothing"}.`));
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** @param {NodeJS.ProcessEnv} environment */
export function emptyNode(environment) {
  return timed(["-e", "0"], environment, "", "");
}

/** @param {() => Promise<number>} run */
export async function quickest(run) {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TIMES; time += 1) best = Math.min(best, await run());
  return best;
}

/**
 * Compares two measurements in turns, after a warm-up.
 *
 * @param {() => Promise<number>} ours
 * @param {() => Promise<number>} theirs
 * @param {number} [rounds]
 */
export async function inTurns(ours, theirs, rounds = ROUNDS) {
  for (let time = 0; time < 2; time += 1) {
    await ours();
    await theirs();
  }
  return { ...(await sideBySide(rounds, ours, theirs)), unit: /** @type {const} */ ("ms") };
}

/**
 * @param {() => Promise<number>} once
 * @param {NodeJS.ProcessEnv} environment
 * @param {number} [rounds]
 */
export function besideEmptyNode(once, environment, rounds) {
  return inTurns(
    () => quickest(once),
    () => quickest(() => emptyNode(environment)),
    rounds,
  );
}

let calls = 0;

/**
 * The payload of a call; each has an id of its own, since a call that comes twice is decided once.
 *
 * @param {string} cwd
 * @param {string} tool_name
 * @param {string} command
 */
export function payloadOf(cwd, tool_name, command) {
  calls += 1;
  return JSON.stringify({
    session_id: "bench",
    transcript_path: "/home/u/.claude/projects/bench.jsonl",
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input: { command },
    tool_use_id: `call-${calls}`,
  });
}
