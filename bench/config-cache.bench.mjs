import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { followConfig, grantTrust, loadConfig, reviewTrust } from "tenterhook/config";
import { stringify } from "yaml";
import { importSources } from "./lib/sources.mjs";
import { compare } from "./measure.mjs";

/**
 * A project with so many definitions in YAML, trusted, and folders of its own for state and cache.
 *
 * @param {number} count
 */
async function trustedProject(count) {
  const root = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  const definitions = Array.from({ length: count }, (_, number) => ({
    name: `hook-${number}`,
    type: "inline",
    matcher: { events: ["PreToolUse"], tools: ["bash"] },
    inline_rules: [
      { field: "args.command", operator: "contains", value: `word${number}`, action: "deny", reason: "No." },
      { field: "args.command", operator: "runs", value: `program${number} -r -f`, action: "ask" },
    ],
    priority: 10 + (number % 90),
  }));
  mkdirSync(join(root, "project/.tenterhook"), { recursive: true });
  mkdirSync(join(root, "project/.git"));
  writeFileSync(join(root, "project/.tenterhook/hooks.yaml"), stringify({ hooks: { definitions } }));
  const options = {
    cwd: join(root, "project"),
    environment: {
      XDG_CONFIG_HOME: join(root, "config"),
      XDG_STATE_HOME: join(root, "state"),
      XDG_CACHE_HOME: join(root, "cache"),
    },
    managedFile: join(root, "managed/hooks.yaml"),
  };
  await grantTrust(await reviewTrust(options), options);
  return { options, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** @param {(options: import("tenterhook/config").LoadOptions) => Promise<import("tenterhook/config").Config>} load */
function loading(load, /** @type {import("tenterhook/config").LoadOptions} */ options) {
  return async (/** @type {number} */ times) => {
    for (let time = 0; time < times; time += 1) {
      const { definitions, trust } = await load(options);
      if (definitions.length !== 1000 || trust.state !== "trusted") throw new Error("A hook is missing.");
    }
  };
}

/** @type {import("tenterhook").EventInput<"PreToolUse">} */
const EVENT = {
  hook_event_name: "PreToolUse",
  session_id: "session",
  cwd: "/project",
  tool_name: "Read",
  tool_input: { file_path: "a" },
};

/** @param {import("tenterhook").Hooks} hooks */
function firing(hooks) {
  return async (/** @type {number} */ times) => {
    for (let time = 0; time < times; time += 1) await hooks.fire(EVENT);
  };
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "1,000 definitions from the compiled cache",
    against: "from the YAML",
    bound: 20,
    atLeast: true,
    async measure() {
      const { options, remove } = await trustedProject(1000);
      try {
        const { loadConfigCached } = await importSources("config", { loadConfigCached: "config/open.ts" });
        await loadConfigCached(options);
        return await compare(loading(loadConfigCached, options), loading(loadConfig, options));
      } finally {
        remove();
      }
    },
  },
  {
    // In what an agent does between two events this is nothing; it must stay so.
    name: "an event of a set that follows its files",
    against: "one that does not",
    bound: 1,
    orAtMost: 500_000,
    async measure() {
      const { options, remove } = await trustedProject(10);
      const hooks = createHooks();
      const followed = await followConfig(hooks, options);
      try {
        return await compare(firing(hooks), firing(createHooks()));
      } finally {
        followed.close();
        remove();
      }
    },
  },
];
