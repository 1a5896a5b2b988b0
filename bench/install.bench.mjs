// What `npm install -g` takes, from a registry on this machine that has our package, with everything else in npm's cache.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packOurs, packSqlite, serveRegistry, usualRegistry } from "../scripts/registry.mjs";
import { timed } from "./lib/hook-process.mjs";
import { inTurns } from "./measure.mjs";

const PEER = "cc-safety-net@2.4.5";
const ROUNDS = 7;
const PATIENCE_MILLISECONDS = 30_000;

/** npm reaches some registries only with certificates that run.mjs takes away from what it measures. */
const { BENCH_CA_CERTS, ...rest } = process.env;
const reaching = BENCH_CA_CERTS === undefined ? rest : { ...rest, NODE_EXTRA_CA_CERTS: BENCH_CA_CERTS };

/** @param {readonly string[]} options */
async function besidePeer(...options) {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-install-"));
  const registry = await serveRegistry([packOurs(folder), packSqlite(folder)], usualRegistry());
  const environment = {
    ...reaching,
    npm_config_cache: join(folder, "cache"),
    npm_config_registry: registry.url,
  };
  const installed = async (/** @type {readonly string[]} */ ...what) => {
    const prefix = mkdtempSync(join(folder, "prefix-"));
    const milliseconds = await timed(
      ["npm", "install", "-g", "--prefix", prefix, ...what],
      environment,
      "",
      "added",
    );
    rmSync(prefix, { recursive: true });
    return milliseconds;
  };
  try {
    return await inTurns(
      ROUNDS,
      () => installed("tenterhook", ...options),
      () => installed(PEER),
    );
  } finally {
    registry.close();
    rmSync(folder, { recursive: true });
  }
}

/** Why it can't be measured here. */
async function skip() {
  const { status } = spawnSync("npm", ["view", PEER, "version", "--prefer-online"], {
    env: reaching,
    stdio: "ignore",
    timeout: PATIENCE_MILLISECONDS,
  });
  return status === 0 ? undefined : "the registry that npm is set to does not answer.";
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
const everywhere = [
  {
    name: "npm install -g tenterhook, without SQLite's package",
    against: PEER,
    bound: 2,
    skip,
    measure: () => besidePeer("--omit=optional"),
  },
];

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
const withSqlite = [
  {
    name: "npm install -g tenterhook on Node 20, with SQLite's package",
    against: PEER,
    bound: 3,
    skip,
    measure: () => besidePeer(),
  },
];

export default [...everywhere, ...(isBuiltin("node:sqlite") ? [] : withSqlite)];
