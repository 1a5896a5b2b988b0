import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project, UNWATCHED } from "./support/project.ts";

const inline = (name: string, events: readonly string[], rules: string) => ({
  name,
  type: "inline",
  matcher: { events },
  rules,
});
const NO_FORCE = inline("no-force", ["PreToolUse"], 'command contains "--force" -> deny("No force.")');
const AT_THE_END = {
  name: "end",
  type: "command",
  command: "true",
  matcher: { events: ["Stop", "SubagentStop"] },
};
const FOLDER = ".cline/hooks";

const filesIn = ({ cwd }: Project): readonly string[] =>
  existsSync(join(cwd, FOLDER)) ? readdirSync(join(cwd, FOLDER)).sort() : [];

const call = (command: string, { cwd }: Project, id = command) => ({
  hookName: "tool_call",
  timestamp: "2026-11-16T09:00:00.000Z",
  taskId: "conv_1",
  workspaceRoots: [cwd],
  agent_id: "agent_1",
  parent_agent_id: null,
  tool_call: { id, name: "run_commands", input: { commands: [command] } },
});

async function installed(...hooks: readonly object[]): Promise<Project> {
  const project = newProject({ decidesHere: true });
  await project.configure(hooks, {}, UNWATCHED);
  expect(await project.run(["install", "cline"])).toMatchObject({ code: 0 });
  return project;
}

describe("the hook files of Cline", () => {
  it("are written once, shown by a dry run, and gone after uninstall; others stay", async () => {
    const project = newProject();
    const own = project.write(`${FOLDER}/PreToolUse`, "#!/bin/sh\necho mine\n");
    await project.configure([NO_FORCE, AT_THE_END], {}, UNWATCHED);
    const dry = await project.run(["install", "cline", "--dry-run"]);
    expect(dry.stdout.match(/^\+\+\+ .*$/gm)?.map((line) => line.split("/").at(-1))).toEqual([
      "PreToolUse.zsh",
      "TaskComplete.zsh",
    ]);
    expect(filesIn(project)).toEqual(["PreToolUse"]);
    const { stdout } = await project.run(["install", "cline", "-v"]);
    expect(stdout).toContain(`${FOLDER}: it calls Tenterhook for PreToolUse`);
    expect(filesIn(project)).toEqual(["PreToolUse", "PreToolUse.zsh", "TaskComplete.zsh"]);
    expect((await project.run(["install", "cline", "-v"])).stdout).toContain("is up to date");
    const gone = await project.run(["uninstall", "cline"]);
    expect(gone.stdout).toContain(`Tenterhook was removed from ${FOLDER}.`);
    expect([filesIn(project), readFileSync(own, "utf8")]).toEqual([["PreToolUse"], "#!/bin/sh\necho mine\n"]);
  });

  it("leave no folder behind that install made", async () => {
    const project = await installed(NO_FORCE);
    await project.run(["uninstall", "cline"]);
    expect(existsSync(join(project.cwd, FOLDER))).toBe(false);
  });

  it("follow the configuration with --sync, and what they no longer need is forgotten", async () => {
    const project = await installed(NO_FORCE, AT_THE_END);
    await project.configure([NO_FORCE], {}, UNWATCHED);
    expect((await project.run(["doctor", "-v"])).stdout).toContain("calls Tenterhook for TaskComplete");
    await project.run(["install", "--sync"]);
    expect(filesIn(project)).toEqual(["PreToolUse.zsh"]);
    expect((await project.run(["doctor"])).stdout).not.toContain("no longer calls Tenterhook");
  });

  it("are not written over a file of the same name that somebody else wrote", async () => {
    const project = newProject();
    await project.configure([NO_FORCE]);
    project.write(`${FOLDER}/PreToolUse.zsh`, "echo mine\n");
    const { code, stderr } = await project.run(["install", "cline"]);
    expect([code === 0, stderr.includes("Tenterhook did not write PreToolUse.zsh there.")]).toEqual([
      false,
      true,
    ]);
    expect(readFileSync(join(project.cwd, FOLDER, "PreToolUse.zsh"), "utf8")).toBe("echo mine\n");
  });

  it("are noticed by doctor when somebody changed one, and by every call when one is gone", async () => {
    const project = await installed(NO_FORCE, AT_THE_END);
    const gate = join(project.cwd, FOLDER, "PreToolUse.zsh");
    writeFileSync(gate, readFileSync(gate, "utf8").replace("| tenterhook hook", "| true"));
    const doctor = await project.run(["doctor"]);
    expect(doctor.stdout.replaceAll(/\s+/g, " ")).toMatch(
      /✗ cline The entry that has Cline call Tenterhook for PreToolUse was changed: code/,
    );
    await project.run(["install", "cline"]);
    rmSync(join(project.cwd, FOLDER, "TaskComplete.zsh"));
    const { stderr } = await project.hook(call("ls", project));
    expect(stderr).toContain("TaskComplete.zsh no longer calls Tenterhook");
    await project.run(["uninstall", "cline"]);
    expect((await project.hook(call("ls", project, "later"))).stderr).toBe("");
  });
});

describe("Cline", () => {
  it("gets from tenterhook hook what explain shows", async () => {
    const project = await installed(NO_FORCE);
    const payload = call("git push --force", project);
    const { stdout, code } = await project.hook(payload);
    expect([code, JSON.parse(stdout).overrideInput.commands[0].args.at(-1)]).toEqual([0, "No force."]);
    const file = project.write("event.json", JSON.stringify(payload));
    const shown = await project.run(["explain", file, "--agent", "cline"]);
    expect(shown.stdout).toContain("exit 126");
    expect((await project.hook(call("git push", project))).stdout).toBe("{}");
  });

  it("has it named before it matters that a rewritten result ends the run", async () => {
    const project = newProject();
    await project.configure([inline("hides", ["PostToolUse"], 'output contains "x" -> set(output, "y")')]);
    const { stdout } = await project.run(["install", "cline", "-v"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "It does not support rewrite on PostToolUse (hook hides): the run ends instead.",
    );
  });
});
