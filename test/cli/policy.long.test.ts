import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startProgram } from "../monitor/team/support/served.ts";
import { eventually, processesNamed } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  decided,
  lockOf,
  moveTag,
  projectWith,
  registryWith,
  teamPolicy,
  trusted,
} from "./support/policy.ts";

it("a policy stays in force while its server takes for ever, and while somebody waits for it", async () => {
  let isSilent = false;
  const project = projectWith("npm:@acme/policy@2");
  const registry = await registryWith("@acme/policy", ["2.0.0"], () => isSilent);
  project.environment.npm_config_registry = registry;
  await project.run(["update", "--yes"]);
  await trusted(project);
  const before = lockOf(project);
  isSilent = true;
  const updating = startProgram(project.cwd, project.environment, ["update", "--yes"]);
  await eventually(() => expect(processesNamed("@acme/policy@2")).not.toEqual([]));
  expect(await decided(project, "npm publish")).toContain("The team says no to publish.");
  updating.child.kill("SIGINT");
  await once(updating.child, "exit");
  expect(updating.printed()).not.toContain("added");
  expect(lockOf(project)).toEqual(before);
  expect(await decided(project, "npm publish")).toContain("The team says no to publish.");
});

describe("a policy from a git repository", () => {
  it("stays in force while its server is away", async () => {
    const policy = teamPolicy();
    const project = projectWith(policy.address);
    await project.run(["update", "--yes"]);
    await trusted(project);
    rmSync(policy.folder, { recursive: true });
    expect(await project.run(["update", "--yes"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/.* can't be fetched: .*not.* a git repository/s),
    });
    expect(await decided(project, "npm publish")).toContain("The team says no to publish.");
  });

  it("does not come back by an older lock with its own files, which were trusted once", async () => {
    const policy = teamPolicy();
    const project = projectWith(policy.address);
    await project.run(["update", "--yes"]);
    await trusted(project);
    const own = join(project.cwd, ".tenterhook");
    const older = temporaryFolder();
    cpSync(own, older, { recursive: true });
    moveTag(policy, "deploy");
    await project.run(["update", "--yes"]);
    await trusted(project);
    expect(await decided(project, "npm run deploy")).toContain("The team says no to deploy.");
    rmSync(own, { recursive: true });
    cpSync(older, own, { recursive: true });
    expect(await decided(project, "npm run deploy")).toMatch(/^deny [\s\S]*trust/);
  });

  it("is fetched again under its new revision, and the lock forgets the old one", async () => {
    const policy = teamPolicy();
    const project = projectWith(policy.address);
    await project.run(["update", "--yes"]);
    policy.git("tag", "v2");
    const next = policy.address.replace("#v1", "#v2");
    project.write(".tenterhook/hooks.yaml", JSON.stringify({ hooks: { use: [next] } }));
    expect(await project.run(["update", "--yes"])).toMatchObject({ code: 0 });
    expect(Object.keys(lockOf(project))).toEqual([next]);
    project.write(".tenterhook/hooks.yaml", JSON.stringify({ hooks: { use: [next, policy.address] } }));
    expect((await project.run(["update", "--yes"])).stderr).toContain(
      "the same policy counts once, at one revision",
    );
  });
});
