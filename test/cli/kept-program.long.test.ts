import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { PLAIN_PATH } from "../support/as-npx.ts";
import { npxProject } from "./support/npx-project.ts";

describe("somebody who has nothing but npx", () => {
  it("is told that a whole machine needs an installation", async () => {
    const { npx } = await npxProject();
    expect(npx("install", "claude", "--managed")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("sudo npm install -g tenterhook"),
    });
  });

  it("keeps the version before, from which a daemon may run, and none that is older", async () => {
    const { kept, npx } = await npxProject();
    for (const version of ["0.0.1", "0.0.2"])
      mkdirSync(join(kept, version, "node_modules"), { recursive: true });
    writeFileSync(join(kept, "0.0.2/node_modules/tenterhook"), "");
    symlinkSync("0.0.2/node_modules/tenterhook", join(kept, "tenterhook"));
    expect(npx("install", "claude")).toMatchObject({ status: 0 });
    expect(["0.0.1", "0.0.2", manifest.version].filter((name) => existsSync(join(kept, name)))).toEqual([
      "0.0.2",
      manifest.version,
    ]);
  });
});

it("hands over to no copy that is deleted some day, as pnpm dlx has one on the PATH", async () => {
  const { project, kept, npxProgram, run } = await npxProject();
  const dlx = join(project.folder, "home/.cache/pnpm/dlx/4f1c/node_modules");
  mkdirSync(dirname(dlx), { recursive: true });
  renameSync(dirname(dirname(npxProgram)), dlx);
  const path = `${join(dlx, ".bin")}:${PLAIN_PATH}`;
  expect(run(join(dlx, ".bin/tenterhook"), ["install", "claude"], { path })).toMatchObject({ status: 0 });
  expect(existsSync(join(kept, "tenterhook"))).toBe(true);
});

it("several at once keep one program", async () => {
  const { project, kept, npxProgram } = await npxProject();
  const env = { ...project.environment, PATH: PLAIN_PATH };
  const ends = ["claude", "codex", "gemini", "cursor"].map(async (agent) => {
    const child = spawn(npxProgram, ["install", agent], { cwd: project.cwd, env, stdio: "ignore" });
    const [code] = await once(child, "close");
    return code;
  });
  expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
  expect(readdirSync(kept).toSorted()).toEqual([manifest.version, "tenterhook"]);
});

it("npx hands over all options of a set-up", async () => {
  const { project, npxProgram, run } = await npxProject();
  const folder = join(project.folder, "programs");
  mkdirSync(folder);
  writeFileSync(join(folder, "tenterhook"), "#!/bin/sh\necho installed: $*\n", { mode: 0o755 });
  const args = ["--yes", "--project", "--import", "--json", "--quiet", "--debug"];
  expect(run(npxProgram, args, { path: `${folder}:${PLAIN_PATH}` })).toEqual({
    status: 0,
    stdout: `installed: ${args.join(" ")}\n`,
    stderr: "",
  });
});
