import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  decided,
  lockOf,
  moveTag,
  projectWith,
  registryWith,
  teamPolicy,
  trusted,
} from "./support/policy.ts";
import { newProject } from "./support/project.ts";

describe("a policy from a git repository", () => {
  it("refuses calls until it is here, and then decides them", async () => {
    const policy = teamPolicy();
    const project = projectWith(policy.address);
    const TMPDIR = join(project.folder, "tmp");
    mkdirSync(TMPDIR);
    project.environment.TMPDIR = TMPDIR;
    const { stdout } = await project.run(["validate"]);
    expect(stdout).toContain(`The policy ${policy.address} is not here yet. tenterhook update fetches it.`);
    expect(await decided(project, "npm publish")).toMatch(/^deny [\s\S]*not here yet/);
    const updated = await project.run(["update", "--yes"]);
    expect([updated.code, updated.stdout]).toEqual([0, expect.stringContaining("added hooks.yaml")]);
    expect(lockOf(project)).toEqual({
      [policy.address]: {
        resolved: policy.git("rev-parse", "HEAD").trim(),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    await trusted(project);
    expect(await decided(project, "npm publish")).toContain("The team says no to publish.");
    expect(await project.run(["update"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("up to date"),
    });
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  it("is fetched, shown and named by use", async () => {
    const policy = teamPolicy();
    const project = newProject({ decidesHere: true });
    expect(await project.run(["use", policy.address])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nobody can be asked"),
    });
    expect(await project.run(["use", "git-safety", policy.address, "--yes"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/added hooks\.yaml[\s\S]* are used: [\s\S]*tenterhook trust/),
    });
    await trusted(project);
    expect(await decided(project, "npm publish")).toContain("The team says no to publish.");
    expect(await project.run(["use", "git+https://example.com/policy.git"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not the address of a policy."),
    });
  });

  it("stays as it is when its tag moves, until somebody takes the change and trusts it", async () => {
    const policy = teamPolicy();
    const project = projectWith(policy.address);
    await project.run(["update", "--yes"]);
    await trusted(project);
    moveTag(policy, "deploy");
    expect(await decided(project, "npm publish")).toContain("The team says no to publish.");
    const { code, stdout } = await project.run(["update", "--check"]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/- name: no-publish[\s\S]*\+ .*no-deploy/)]);
    expect(await project.run(["update"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nobody can be asked"),
    });
    expect(await decided(project, "npm publish")).toContain("The team says no to publish.");
    expect(await project.run(["update", "--yes"])).toMatchObject({ code: 0 });
    // What was trusted is gone: a person has to look at it.
    expect(await decided(project, "npm publish")).toMatch(/^deny .* was trusted and is gone/);
    await trusted(project);
    expect(await decided(project, "make deploy")).toContain("The team says no to deploy.");
  });

  it("does not count when its files or its lock were changed here", async () => {
    const policy = teamPolicy();
    const project = projectWith(policy.address);
    await project.run(["update", "--yes"]);
    await trusted(project);
    const [folder = ""] = readdirSync(join(project.cwd, ".tenterhook/policy")).filter(
      (name) => !name.startsWith("."),
    );
    const file = `.tenterhook/policy/${folder}/hooks.yaml`;
    const text = readFileSync(join(project.cwd, file), "utf8");
    project.write(file, text.replace("deny", "ask"));
    expect((await project.run(["validate"])).stdout).toContain("somebody changed them, or the lock");
    expect(await decided(project, "npm publish")).toMatch(/^deny/);
    expect(await project.run(["update", "--yes"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("changed hooks.yaml"),
    });
    expect(readFileSync(join(project.cwd, file), "utf8")).toBe(text);
    expect(await decided(project, "npm publish")).toContain("The team says no to publish.");
  });

  it("is not taken when a revision has other files than it had", async () => {
    const policy = teamPolicy();
    const project = projectWith(policy.address);
    await project.run(["update", "--yes"]);
    const lock = lockOf(project);
    lock[policy.address].sha256 = "0".repeat(64);
    project.write(".tenterhook/policy.lock", JSON.stringify({ version: 1, policies: lock }));
    expect(await project.run(["update", "--yes"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("but to other files than it had then. Nothing was changed."),
    });
  });

  it("may have no links in it", async () => {
    const policy = teamPolicy();
    symlinkSync("/etc/passwd", join(policy.folder, "more.yaml"));
    policy.git("add", ".");
    policy.git("commit", "--quiet", "-m", "link");
    policy.git("tag", "--force", "v1");
    const project = projectWith(policy.address);
    expect(await project.run(["update", "--yes"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("more.yaml is neither a file nor a folder"),
    });
    expect(readdirSync(join(project.cwd, ".tenterhook"))).toEqual(["hooks.yaml"]);
  });

  it("is told apart from an address with a mistake in it", async () => {
    const project = projectWith("git+https://example.com/policy.git");
    expect((await project.run(["validate"])).stdout).toContain(
      '"git+https://example.com/policy.git" is no address of a policy. Write git+https://host/team/policy.git#REVISION or npm:NAME@VERSION.',
    );
  });
});

it("a policy from a package registry is the newest version of its range, and no script of it is run", async () => {
  const project = projectWith("npm:@acme/policy@2");
  project.environment.npm_config_registry = await registryWith("@acme/policy", ["1.0.0", "2.0.0", "2.1.0"]);
  const updated = await project.run(["update", "--yes"]);
  expect([updated.code, updated.stderr]).toEqual([0, ""]);
  expect(lockOf(project)).toMatchObject({ "npm:@acme/policy@2": { resolved: "2.1.0" } });
  await trusted(project);
  expect(await decided(project, "npm publish")).toContain("The team says no to publish.");
});
