import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { packSqlite, serveRegistry } from "../../scripts/registry.mjs";
import { eventually, processesWith } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bytesBelow } from "./support/files.ts";
import { emptyProject, packedPackage } from "./support/packed-project.ts";
import { run } from "./support/run.ts";
import { findRuntime } from "./support/runtimes.ts";

const TENTERHOOK = "node_modules/tenterhook/dist/tenterhook.cjs";

const folder = temporaryFolder(afterAll);
let registry: Awaited<ReturnType<typeof serveRegistry>>;
beforeAll(async () => {
  registry = await serveRegistry([await packedPackage(), packSqlite(folder)]);
});
afterAll(() => registry.close());

/** What npm installs on a version of Node, and how much that may be. */
const INSTALLED = [
  ["Node 20", { packages: ["tenterhook", "tenterhook-sqlite"], megabytes: 50 }],
  ["Node 22", { packages: ["tenterhook"], megabytes: 22 }],
  ["Node 24", { packages: ["tenterhook"], megabytes: 22 }],
] as const;

describe.each(INSTALLED)("npm install on %s", (name, { packages, megabytes }) => {
  test(`brings ${packages.join(" and ")} without a warning, and the monitor works`, async ({ skip }) => {
    const found = findRuntime(name);
    if ("missing" in found) return skip(found.missing);
    const project = emptyProject();
    onTestFinished(() => project.remove());
    const state = `XDG_STATE_HOME=${join(project.folder, "state")}`;
    const npm = realpathSync((await run(project.folder, "sh", "-c", "command -v npm")).output.trim());
    const settings = [
      // What an outer npm was told.
      ...Object.keys(process.env).flatMap((key) => (key.startsWith("npm_") ? ["-u", key] : [])),
      ...[`HOME=${project.folder}`, `npm_config_userconfig=${join(project.folder, "none")}`],
      "NODE_DISABLE_COMPILE_CACHE=1",
      `npm_config_cache=${join(project.folder, "cache")}`,
      ...[
        `npm_config_registry=${registry.url}`,
        "npm_config_audit=false",
        "npm_config_update_notifier=false",
      ],
    ];
    const start = (...args: readonly string[]) =>
      project.run("env", ...settings, state, "sh", "-c", '"$@" 2>&1', "sh", found.program, ...args);

    expect(await start(npm, "install", "tenterhook")).toEqual({
      code: 0,
      output: expect.stringMatching(/^\nadded \d packages? in \d+m?s\n$/),
    });
    const modules = join(project.folder, "node_modules");
    expect(readdirSync(modules).filter((entry) => !entry.startsWith("."))).toEqual(packages);
    expect(bytesBelow(modules) / 1_048_576).toBeLessThanOrEqual(megabytes);
    expect(existsSync(join(modules, ".bin/tenterhook"))).toBe(true);
    expect(await start(TENTERHOOK, "--version")).toEqual({ code: 0, output: `${manifest.version}\n` });
    try {
      const { code, output } = await start(TENTERHOOK, "agents", "--json");
      expect({ code, output: JSON.parse(output) }).toEqual({ code: 0, output: { agents: [] } });
    } finally {
      await start(TENTERHOOK, "daemon", "stop");
      // At its end the daemon still writes.
      await eventually(() => expect(processesWith(state)).toEqual([]));
    }
  });
});
