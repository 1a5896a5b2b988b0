import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { asNpxUnpacks, PLAIN_PATH } from "../support/as-npx.ts";
import { newProject, type Project } from "./support/project.ts";

let project: Project;
let kept: string;
let npxProgram: string;

beforeEach(async () => {
  project = newProject();
  await project.configure([], { use: ["safe-shell"] });
  kept = join(project.folder, "state/tenterhook/program");
  npxProgram = await asNpxUnpacks(join(project.folder, "home"), onTestFinished);
});

function run(program: string, args: readonly string[], { path = PLAIN_PATH, input = "" } = {}) {
  const env = { ...project.environment, PATH: path };
  const options = { cwd: project.cwd, env, input, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { status, stdout, stderr };
}

function npx(...args: readonly string[]) {
  return run(npxProgram, args);
}

/** What Claude Code's settings run before a tool. */
function commandIn(settings: string): string {
  const { hooks } = JSON.parse(readFileSync(settings, "utf8"));
  return hooks.PreToolUse[0].hooks[0].command;
}

const CALL = JSON.stringify({
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_use_id: "t",
  tool_input: { command: "rm -rf ~" },
});

describe("somebody who has nothing but npx", () => {
  it.each([
    ["everywhere", ["--user"], "home/.claude/settings.json"],
    ["in a project", [], "project/.claude/settings.json"],
  ])("is guarded %s after npx has deleted what it ran", (_where, where, settings) => {
    expect(npx("install", "claude", ...where)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("Tenterhook is kept as"),
    });
    rmSync(join(project.folder, "home/.npm"), { recursive: true });

    const { status, stdout } = run("sh", ["-c", commandIn(join(project.folder, settings))], { input: CALL });
    expect({ status, decision: JSON.parse(stdout).hookSpecificOutput.permissionDecision }).toEqual({
      status: 0,
      decision: "deny",
    });
    expect(run(join(kept, "tenterhook"), ["list"])).toMatchObject({ status: 0 });
  });

  it("keeps nothing for a look at what would be written", () => {
    expect(npx("install", "claude", "--dry-run")).toMatchObject({ status: 0 });
    expect(existsSync(kept)).toBe(false);
  });

  it("is told that a whole machine needs an installation", () => {
    expect(npx("install", "claude", "--managed")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("sudo npm install -g tenterhook"),
    });
  });

  it("keeps the version before, from which a daemon may run, and none that is older", () => {
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

it("npx hands over to a Tenterhook that is installed, which agents call", () => {
  const folder = join(project.folder, "programs");
  mkdirSync(folder);
  writeFileSync(join(folder, "tenterhook"), "#!/bin/sh\necho installed: $*\nexit 7\n", { mode: 0o755 });
  expect(run(npxProgram, ["install", "claude"], { path: `${folder}:${PLAIN_PATH}` })).toEqual({
    status: 7,
    stdout: "installed: install claude\n",
    stderr: expect.stringContaining("The Tenterhook that is installed goes on"),
  });
  expect(existsSync(kept)).toBe(false);
});

it("hands over to no copy that is deleted some day, as pnpm dlx has one on the PATH", () => {
  const dlx = join(project.folder, "home/.cache/pnpm/dlx/4f1c/node_modules");
  mkdirSync(dirname(dlx), { recursive: true });
  renameSync(dirname(dirname(npxProgram)), dlx);
  const path = `${join(dlx, ".bin")}:${PLAIN_PATH}`;
  expect(run(join(dlx, ".bin/tenterhook"), ["install", "claude"], { path })).toMatchObject({ status: 0 });
  expect(existsSync(join(kept, "tenterhook"))).toBe(true);
});

it("several at once keep one program", async () => {
  const env = { ...project.environment, PATH: PLAIN_PATH };
  const ends = ["claude", "codex", "gemini", "cursor"].map(async (agent) => {
    const child = spawn(npxProgram, ["install", agent], { cwd: project.cwd, env, stdio: "ignore" });
    const [code] = await once(child, "close");
    return code;
  });
  expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
  expect(readdirSync(kept).toSorted()).toEqual([manifest.version, "tenterhook"]);
});

it("npx hands over all options of a set-up", () => {
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
