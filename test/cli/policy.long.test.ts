import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startProgram } from "../monitor/team/support/served.ts";
import { eventually, processesNamed } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

const RULE = (word: string) => `hooks:
  definitions:
    - name: no-${word}
      type: inline
      matcher: { events: [PreToolUse] }
      rules: 'command contains "${word}" -> deny("The team says no to ${word}.")'
`;

/** A git repository with a policy, at the tag v1. */
function teamPolicy(): { address: string; folder: string; git: (...args: readonly string[]) => string } {
  const folder = temporaryFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "--quiet");
  writeFileSync(join(folder, "hooks.yaml"), RULE("publish"));
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  git("tag", "v1");
  return { address: `git+file://${folder}#v1`, folder, git };
}

/** The policy's repository says something else, and its tag has moved there. */
function moveTag({ folder, git }: ReturnType<typeof teamPolicy>, word: string): void {
  writeFileSync(join(folder, "hooks.yaml"), RULE(word));
  git("commit", "--quiet", "-am", "second");
  git("tag", "--force", "v1");
}

function projectWith(...use: readonly string[]): Project {
  const project = newProject({ decidesHere: true });
  project.write(".tenterhook/hooks.yaml", JSON.stringify({ hooks: { use } }));
  return project;
}

const lockOf = ({ cwd }: Project) =>
  JSON.parse(readFileSync(join(cwd, ".tenterhook/policy.lock"), "utf8")).policies;

async function trusted(project: Project): Promise<void> {
  expect(await project.run(["trust", "--yes"])).toMatchObject({ code: 0 });
}

async function decided(project: Project, command: string): Promise<string> {
  const { stdout, stderr } = await project.hook(shellCall(command));
  const { permissionDecision = "", permissionDecisionReason = "" } =
    stdout === "" ? {} : (JSON.parse(stdout).hookSpecificOutput ?? {});
  return `${permissionDecision} ${permissionDecisionReason}${stderr}`.trim();
}

/** A package registry on this machine with one package. */
async function registryWith(
  name: string,
  versions: readonly string[],
  isSilent: () => boolean = () => false,
): Promise<string> {
  const folder = temporaryFolder();
  const tarballs = new Map(
    versions.map((version) => {
      const root = join(folder, version, "package");
      mkdirSync(join(root, "scripts"), { recursive: true });
      const scripts = { install: `touch ${join(folder, "was-run")}` };
      writeFileSync(join(root, "package.json"), JSON.stringify({ name, version, scripts }));
      writeFileSync(join(root, "hooks.yaml"), RULE("publish"));
      return [version, execFileSync("tar", ["-czf", "-", "-C", dirname(root), "package"])];
    }),
  );
  const server = createServer(({ url = "" }, response) => {
    if (isSilent()) return;
    const [, version = ""] = /-(\d+\.\d+\.\d+)\.tgz$/.exec(url) ?? [];
    const tarball = tarballs.get(version);
    if (tarball !== undefined) return void response.end(tarball);
    const host = `http://127.0.0.1:${Reflect.get(server.address() ?? {}, "port")}`;
    const rows = [...tarballs].map(([one, bytes]) => {
      const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
      return [one, { name, version: one, dist: { tarball: `${host}/p-${one}.tgz`, integrity } }];
    });
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ name, "dist-tags": { latest: versions.at(-1) }, versions: Object.fromEntries(rows) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${Reflect.get(server.address() ?? {}, "port")}`;
}

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
      stderr: expect.stringMatching(/policy_unavailable: .* can't be fetched: .*not.* a git repository/s),
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
