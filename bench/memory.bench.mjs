// What the daemon keeps in memory while it decides calls and takes in what is reported about them.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { caller } from "./lib/calls.mjs";
import { startDaemon } from "./lib/daemon.mjs";
import { PROGRAM, scratch } from "./lib/hook-process.mjs";

const CALLS = 10_000;

/** The memory of a process that is in RAM, in bytes. @param {number} pid */
function residentBytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** A project with the configuration that `init` writes, and its daemon. */
async function newDaemon() {
  const { cwd, environment, alone, remove } = scratch();
  execFileSync(process.execPath, [PROGRAM, "init"], { cwd, env: alone, stdio: "ignore" });
  const daemon = await startDaemon(environment);
  const { pid } = JSON.parse(
    readFileSync(join(environment.XDG_STATE_HOME, "tenterhook/monitor/daemon.json"), "utf8"),
  );
  return {
    decide: caller(environment, cwd),
    bytes: () => residentBytes(pid),
    async stop() {
      await daemon.stop();
      remove();
    },
  };
}

async function emptyNodeBytes() {
  const node = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(node.stdout, "data");
  const bytes = residentBytes(Number(node.pid));
  node.kill();
  return bytes;
}

/** @param {number} ours @param {number} theirs @returns {import("./benchmark.mjs").Figures} */
function figures(ours, theirs) {
  return { ours, theirs, ratio: ours / theirs, unit: "bytes" };
}

/**
 * Measures a daemon that has decided the first calls.
 *
 * @param {(daemon: Awaited<ReturnType<typeof newDaemon>>) => Promise<import("./benchmark.mjs").Figures>} measure
 */
async function withDaemon(measure) {
  const daemon = await newDaemon();
  try {
    await daemon.decide(CALLS);
    return await measure(daemon);
  } finally {
    await daemon.stop();
  }
}

const skip = async () =>
  process.platform === "linux" ? undefined : "Only Linux says how much memory another process has.";

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "the daemon's memory after 10,000 calls and their results",
    against: "an empty node",
    bound: 2.5,
    orAtMost: 120_000_000,
    long: true,
    skip,
    measure: () => withDaemon(async (daemon) => figures(daemon.bytes(), await emptyNodeBytes())),
  },
  {
    name: "the daemon's memory after 100,000 calls and their results",
    against: "the same after 10,000",
    bound: 1.1,
    long: true,
    skip,
    measure: () =>
      withDaemon(async (daemon) => {
        const before = daemon.bytes();
        await daemon.decide(9 * CALLS);
        return figures(daemon.bytes(), before);
      }),
  },
];
