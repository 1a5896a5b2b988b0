import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookHere } from "./support/decided-here.ts";
import { newProject, type Project } from "./support/project.ts";

const HOOK = {
  name: "no-force",
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  rules: 'command contains "--force" -> deny("No force.")',
};

/** A machine with these agents, and nothing else on the PATH. */
function machineWith(...agents: readonly string[]): Project {
  const project = newProject();
  const programs = join(project.folder, "agents");
  mkdirSync(programs);
  for (const name of [...agents, "tenterhook"])
    writeFileSync(join(programs, name), `#!/bin/sh\necho ${name} 9.9.9\n`, { mode: 0o755 });
  const bin = Object.fromEntries(agents.map((name) => [name, name]));
  writeFileSync(join(programs, "package.json"), JSON.stringify({ name: "agents", version: "9.9.9", bin }));
  project.environment.PATH = programs;
  return project;
}

const read = (project: Project, file: string) => readFileSync(join(project.folder, file), "utf8");

describe("install", () => {
  it("names the agents on this machine when nobody can be asked", async () => {
    const project = machineWith("claude", "codex");
    await project.configure([HOOK]);
    const { code, stderr } = await project.run(["install"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Which agent?");
    expect(stderr).toMatch(/tenterhook install (?:codex claude|claude codex), or --all/);
  });

  it("says that it found none", async () => {
    const project = machineWith();
    await project.configure([HOOK]);
    const { code, stderr } = await project.run(["install", "--all"]);
    expect([code, stderr.includes("No agent was found on this machine.")]).toEqual([2, true]);
  });

  it("--all installs into every agent that is there, by its program or its settings, and uninstall --all leaves no trace", async () => {
    const project = machineWith("claude");
    mkdirSync(join(project.folder, "home/.codex"), { recursive: true });
    await project.configure([HOOK]);
    expect(await project.run(["install", "--all"])).toMatchObject({ code: 0 });
    const files = ["project/.claude/settings.json", "project/.codex/hooks.json"];
    expect(files.map((file) => read(project, file).includes("tenterhook hook"))).toEqual([true, true]);
    expect(await project.run(["install", "codex", "--user"])).toMatchObject({ code: 0 });
    const { stdout } = await project.run(["uninstall", "--all"]);
    expect(stdout.match(/was removed/g)).toHaveLength(3);
    expect(
      [...files, "home/.codex/hooks.json"].filter((file) => existsSync(join(project.folder, file))),
    ).toEqual([]);
  });
});

describe("Codex", () => {
  it("has its trust explained, and recorded only with --trust; every byte is back after uninstall", async () => {
    const project = machineWith();
    const config = join(project.folder, "home/.codex/config.toml");
    mkdirSync(join(project.folder, "home/.codex"), { recursive: true });
    const before = '# mine\nmodel = "gpt-5.5" # the best one';
    writeFileSync(config, before);
    await project.configure([HOOK]);
    const first = await project.run(["install", "codex", "-v"]);
    expect([first.code, readFileSync(config, "utf8")]).toEqual([0, before]);
    expect(first.stdout.replaceAll(/\s+/g, " ")).toContain("Codex skips hooks that you have not trusted");
    const doctor = await project.run(["doctor"]);
    expect([doctor.code, doctor.stdout.includes("Codex skips")]).toEqual([1, true]);
    const shown = await project.run(["install", "codex", "--trust", "--dry-run"]);
    expect([shown.stdout.includes("+trusted_hash"), readFileSync(config, "utf8")]).toEqual([true, before]);
    await project.run(["install", "codex", "--trust"]);
    expect(readFileSync(config, "utf8").startsWith(`${before}\n\n[hooks.state."`)).toBe(true);
    expect((await project.run(["doctor"])).stdout).not.toContain("Codex skips");
    expect(await project.run(["uninstall", "codex"])).toMatchObject({ code: 0 });
    expect(readFileSync(config, "utf8")).toBe(before);
  });

  it("keeps its trust when sync changes our entries, and none that it did not have", async () => {
    const project = machineWith();
    const config = join(project.folder, "home/.codex/config.toml");
    mkdirSync(join(project.folder, "home/.codex"), { recursive: true });
    await project.configure([HOOK]);
    await project.run(["install", "codex", "--trust"]);
    const granted = readFileSync(config, "utf8");
    await project.configure([HOOK, { ...HOOK, name: "slow", timeout: 1000 }]);
    await project.run(["install", "--sync"]);
    const synced = readFileSync(config, "utf8");
    expect([synced === granted, synced.match(/trusted_hash/g)?.length]).toEqual([
      false,
      granted.match(/trusted_hash/g)?.length,
    ]);
    expect((await project.run(["doctor"])).stdout).not.toContain("Codex skips");
  });

  it("leaves a config.toml alone that can't be read, and writes nothing", async () => {
    const project = machineWith("codex");
    mkdirSync(join(project.folder, "home/.codex"), { recursive: true });
    writeFileSync(join(project.folder, "home/.codex/config.toml"), "model = \n");
    await project.configure([HOOK]);
    const { code, stderr } = await project.run(["install", "codex", "--trust"]);
    expect([code, stderr.includes("config.toml")]).toEqual([1, true]);
    expect(existsSync(join(project.cwd, ".codex/hooks.json"))).toBe(false);
  });

  it("is told what it understands by tenterhook hook, and explain shows that to the byte", async () => {
    const project = machineWith();
    await project.configure([HOOK]);
    const payload = {
      session_id: "s1",
      turn_id: "t1",
      transcript_path: "/home/dev/.codex/sessions/rollout-1.jsonl",
      cwd: project.cwd,
      hook_event_name: "PreToolUse",
      model: "gpt-5.5",
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command: "git push --force" },
      tool_use_id: "c1",
    };
    project.environment.PATH = process.env.PATH;
    const reply = JSON.stringify({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "No force.",
      },
    });
    expect(await hookHere(project, JSON.stringify(payload))).toMatchObject({ code: 0, stdout: reply });
    project.write("event.json", JSON.stringify(payload));
    const { stdout } = await project.run(["explain", "event.json", "--agent", "codex", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      native: { stdout: reply, stderr: "", exit_code: 0, losses: [] },
    });
  });
});

it("an agent whose payloads name their event in another way gets from tenterhook hook what explain shows", async () => {
  const project = machineWith();
  await project.configure([HOOK]);
  const payload = JSON.stringify({
    clineVersion: "3.0.65",
    taskId: "s1",
    hookName: "tool_call",
    workspaceRoots: [project.cwd],
    workspaceInfo: { rootPath: project.cwd, hint: "" },
    tool_call: { id: "c1", name: "run_commands", input: { commands: ["git push --force"] } },
  });
  const { stdout, stderr, code } = await hookHere(project, payload);
  expect(stdout).toContain("No force.");
  project.write("event.json", payload);
  const explained = await project.run(["explain", "event.json", "--agent", "cline", "--json"]);
  expect(JSON.parse(explained.stdout)).toMatchObject({ native: { stdout, stderr, exit_code: code } });
});
