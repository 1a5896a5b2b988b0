import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { poster, startDaemon } from "./lib/daemon.mjs";
import {
  besideEmptyNode,
  inTurns,
  PROGRAM,
  payloadOf,
  project,
  quickest,
  timed,
} from "./lib/hook-process.mjs";
import { fillStore } from "./lib/monitor-store.mjs";
import { projectWithRules } from "./lib/project-with-rules.mjs";

const ECHO = fileURLToPath(new URL("./lib/echo-server.mjs", import.meta.url));
/** The system counts the time of other processes in steps of 10 ms. */
const CALLS = 1000;
const VERSION = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

/** `tenterhook hook` as an agent calls it, while the daemon runs. */
async function hookWithDaemon() {
  const { cwd, environment, remove } = await projectWithRules();
  const once = () => timed(["hook"], environment, payloadOf(cwd, "Bash", "npm run build"), "", PROGRAM);
  await once();
  const daemon = await startDaemon(environment);
  try {
    return await besideEmptyNode(once, environment);
  } finally {
    await daemon.stop();
    remove();
  }
}

/**
 * CPU milliseconds of both processes for a call on a kept connection, decided by the daemon or sent back by a bare server.
 *
 * @param {number} together How many calls are under way at once.
 */
async function besideEcho(together) {
  const { cwd, environment, remove } = await projectWithRules();
  await timed([PROGRAM, "hook"], environment, payloadOf(cwd, "Bash", "npm run build"), "");
  const daemon = await startDaemon(environment);
  const socket = join(cwd, "echo.sock");
  const server = fork(ECHO, [socket]);
  await once(server, "message");
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}\0`);
  let sent = 0;
  const body = () => {
    sent += 1;
    const payload = payloadOf(cwd, "Bash", "npm run build");
    return `call${String(sent).padStart(24, "0")}-1\0${cwd}\0${variables.join("")}\0${payload}`;
  };
  /**
   * @param {string} at
   * @param {string} path
   * @param {number | undefined} pid
   */
  const cpuOf = async (at, path, pid) => {
    const bodies = Array.from({ length: CALLS }, body);
    const { post, close } = poster(at, path);
    const start = cpuMilliseconds(pid);
    await Promise.all(
      Array.from({ length: together }, async () => {
        for (let next = bodies.pop(); next !== undefined; next = bodies.pop()) await post(next);
      }),
    );
    close();
    return (cpuMilliseconds(pid) - start) / CALLS;
  };
  let decided = 0;
  try {
    const figures = await inTurns(
      () => {
        decided += CALLS;
        return cpuOf(daemon.socket, `/hook/${VERSION}`, daemon.deciding());
      },
      () => cpuOf(socket, "/", server.pid),
      10,
    );
    const recorded = recordsIn(String(environment.XDG_STATE_HOME)) - 1;
    if (recorded !== decided) throw new Error(`${decided} calls were decided, and ${recorded} recorded.`);
    return figures;
  } finally {
    server.disconnect();
    await daemon.stop();
    remove();
  }
}

/** What this process and another one have used. @param {number | undefined} pid */
function cpuMilliseconds(pid) {
  const { user, system } = process.cpuUsage();
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [ticks = 0, systemTicks = 0] = fields.split(" ").slice(11, 13).map(Number);
  return (user + system) / 1000 + (ticks + systemTicks) * 10;
}

/** How many decisions the journal holds. @param {string} state */
function recordsIn(state) {
  const folder = join(state, "tenterhook/journal");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, name), "utf8").split('"type":"decision"').length - 1)
    .reduce((sum, count) => sum + count, 0);
}

/** `tenterhook status` of many agents, compared with that of a few. */
async function statusOfMany() {
  const made = [];
  try {
    for (const [agents, events] of [
      [1000, 1_000_000],
      [10, 100],
    ]) {
      const one = await project([]);
      await fillStore(one.environment, Number(agents), Number(events));
      made.push({ ...one, agents, daemon: await startDaemon(one.environment) });
    }
    const [many, few] = made.map(
      ({ environment, agents }) =>
        () =>
          quickest(() =>
            timed([PROGRAM, "status", "--json"], environment, "", `"agent-${Number(agents) - 1}"`),
          ),
    );
    return await inTurns(
      /** @type {() => Promise<number>} */ (many),
      /** @type {() => Promise<number>} */ (few),
      10,
    );
  } finally {
    for (const { daemon, remove } of made) {
      await daemon.stop();
      remove();
    }
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "tenterhook hook with the daemon, 1,000 rules",
    against: "node -e 0",
    bound: 0.6,
    measure: hookWithDaemon,
  },
  {
    name: "a decision of the daemon on a kept connection, 1,000 rules",
    against: "a bare hono echo of the same body",
    bound: 2,
    measure: () => besideEcho(1),
  },
  {
    name: "decisions of the daemon, 16 at once, all recorded",
    against: "a bare hono echo of the same body, whose rate is at most 3.3 times as high",
    bound: 1 / 0.3,
    measure: () => besideEcho(16),
  },
  {
    name: "tenterhook status of 1,000 agents with a million events",
    against: "the same of 10 agents",
    bound: 2,
    measure: statusOfMany,
  },
];
