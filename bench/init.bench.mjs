// What a user waits for with the file that `tenterhook init` writes, as it is.
import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { endStartedDaemon, startDaemon } from "./lib/daemon.mjs";
import { besideEmptyNode, emptyNode, PROGRAM, payloadOf, scratch, timed } from "./lib/hook-process.mjs";
import { inTurns } from "./measure.mjs";

const STARTS = 6;

/** @type {Readonly<Record<string, readonly [tool: string, input: object]>>} */
const CALLS = {
  "npm test": ["Bash", { command: "npm test" }],
  "a loop and a pipe": ["Bash", { command: 'for f in src/*.ts; do wc -l "$f"; done | sort -n' }],
  Edit: ["Edit", { file_path: "src/a.ts", old_string: "one", new_string: "two" }],
};

const COMMAND_HOOK = `
  definitions:
    - name: command
      type: command
      command: "true"
      matcher: { events: [PreToolUse] }
`;

/** @typedef {"process" | "daemon"} Host What decides the calls. */

/**
 * A project as `tenterhook init` leaves it, trusted.
 *
 * @param {string} added At the end of its file.
 */
function initProject(added) {
  const made = scratch();
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [PROGRAM, ...args], { cwd: made.cwd, env: made.alone, encoding: "utf8" });
  run("init", "--yes");
  appendFileSync(join(made.cwd, ".tenterhook/hooks.yaml"), added);
  run("trust", "--digest", JSON.parse(run("trust", "--list", "--json")).digest);
  return made;
}

/**
 * @param {Host} host
 * @param {readonly [tool: string, input: object]} call
 * @param {boolean} withCommand Whether a command hook is asked too, whose own time does not count.
 */
async function against(host, [tool, input], withCommand) {
  const { cwd, environment, alone, remove } = initProject(withCommand ? COMMAND_HOOK : "");
  const variables = host === "daemon" ? environment : alone;
  const once = () => timed([PROGRAM, "hook"], variables, payloadOf(cwd, tool, input));
  const itself = () => timed(["/bin/sh", "-c", "true"], alone);
  const daemon = host === "daemon" ? await startDaemon(environment) : undefined;
  try {
    return await besideEmptyNode(once, alone, withCommand ? itself : undefined);
  } finally {
    await daemon?.stop();
    remove();
  }
}

/** The call that finds no daemon and starts one for those that follow. */
async function firstCall() {
  const { cwd, environment, alone, remove } = initProject("");
  const call = (/** @type {NodeJS.ProcessEnv} */ variables) =>
    timed([PROGRAM, "hook"], variables, payloadOf(cwd, "Bash", { command: "npm test" }));
  const starting = async () => {
    const milliseconds = await call(environment);
    await endStartedDaemon(environment);
    return milliseconds;
  };
  try {
    await call(alone);
    return await inTurns(STARTS, starting, () => emptyNode(alone));
  } finally {
    remove();
  }
}

/** A call that has to read the configuration, as the first one after a change. */
async function uncachedCall() {
  const { cwd, alone, remove } = initProject("");
  const cache = join(alone.XDG_CACHE_HOME ?? "", "tenterhook");
  const call = () => {
    for (const name of readdirSync(cache))
      if (name.startsWith("config-")) rmSync(join(cache, name), { recursive: true });
    return timed([PROGRAM, "hook"], alone, payloadOf(cwd, "Bash", { command: "npm test" }));
  };
  try {
    await call();
    return await inTurns(STARTS, call, () => emptyNode(alone));
  } finally {
    remove();
  }
}

/** @type {readonly (readonly [host: Host, withCommand: boolean, bound: number])[]} */
const BOUNDS = [
  ["daemon", false, 0.6],
  ["process", false, 2.2],
  ["daemon", true, 0.8],
  ["process", true, 2.4],
];

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  ...BOUNDS.flatMap(([host, withCommand, bound]) =>
    Object.entries(CALLS).map(([name, call]) => ({
      name: `${name}, decided by ${host === "daemon" ? "the daemon" : "a process"}${withCommand ? ", a command hook without its own time" : ""}`,
      against: "node -e 0",
      bound,
      measure: () => against(host, call, withCommand),
    })),
  ),
  {
    name: "npm test, the call that starts the daemon",
    against: "node -e 0",
    bound: 2.6,
    measure: firstCall,
  },
  {
    name: "npm test, decided by a process that reads the configuration",
    against: "node -e 0",
    bound: 14,
    measure: uncachedCall,
  },
];
