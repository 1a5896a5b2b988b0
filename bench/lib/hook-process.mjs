// Runs `tenterhook hook` as an agent does: a process for each event, in a trusted project of its own.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { grantTrust, reviewTrust } from "tenterhook/config";
import { stringify } from "yaml";
import { inTurns } from "../measure.mjs";

export const PROGRAM = fileURLToPath(new URL("../../dist/tenterhook.cjs", import.meta.url));
const ROUNDS = 16;

/**
 * A folder with an empty git project, and the variables for which every other folder of the user is in it too.
 * `environment` lets the first call start the daemon, `alone` does not.
 */
export function scratch() {
  const root = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  const cwd = join(root, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  // More certificates cost every process 77 ms at its start on Node 20.
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, TENTERHOOK_DAEMON: ___, ...rest } = process.env;
  const environment = {
    ...rest,
    HOME: join(root, "home"),
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_STATE_HOME: join(root, "state"),
    XDG_CACHE_HOME: join(root, "cache"),
  };
  mkdirSync(environment.HOME);
  return {
    cwd,
    environment,
    alone: { ...environment, TENTERHOOK_DAEMON: "0" },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/**
 * A trusted project with these hooks and files.
 *
 * @param {readonly object[]} definitions
 * @param {Readonly<Record<string, string>>} [files]
 */
export async function project(definitions, files = {}) {
  const made = scratch();
  const all = { ...files, ".tenterhook/hooks.yaml": stringify({ hooks: { definitions } }) };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(made.cwd, name)), { recursive: true });
    writeFileSync(join(made.cwd, name), text);
  }
  const { cwd, environment } = made;
  await grantTrust(await reviewTrust({ cwd, environment }), { environment });
  return made;
}

/**
 * Milliseconds from the start of a program until it is gone. It must end with exit code 0: another one would be a refusal.
 *
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} [input]
 * @param {string} [expected] A part of its output; empty when there must be none.
 * @param {string} [cwd]
 * @returns {Promise<number>}
 */
export function timed([program = "", ...args], environment, input = "", expected = "", cwd = undefined) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { env: environment, cwd, stdio: ["pipe", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const milliseconds = performance.now() - start;
      if (code === 0 && (expected === "" ? output === "" : output.includes(expected))) resolve(milliseconds);
      else reject(new Error(`It ended with ${code} and said ${output || "nothing"}.`));
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** @param {NodeJS.ProcessEnv} environment */
export function emptyNode(environment) {
  return timed([process.execPath, "-e", "0"], environment);
}

/**
 * @param {() => Promise<number>} once
 * @param {NodeJS.ProcessEnv} environment
 * @param {() => Promise<number>} [without] Is subtracted.
 */
export async function besideEmptyNode(once, environment, without) {
  // The first calls fill caches.
  for (let time = 0; time < 3; time += 1) await once();
  return inTurns(ROUNDS, once, () => emptyNode(environment), without);
}

let calls = 0;

/**
 * The payload of a call of Claude Code; each has an id of its own, since a call that comes twice is decided once.
 *
 * @param {string} cwd
 * @param {string} tool_name
 * @param {object} tool_input
 */
export function payloadOf(cwd, tool_name, tool_input) {
  calls += 1;
  return JSON.stringify({
    session_id: "bench",
    transcript_path: "/home/u/.claude/projects/bench.jsonl",
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
    tool_use_id: `call-${calls}`,
  });
}
