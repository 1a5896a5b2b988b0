import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

const rules = 'event equals "X" -> context("Never.")';
const on = (name: string, tools?: readonly string[]) => ({
  name,
  type: "inline",
  matcher: { events: ["PreToolUse"], ...(tools === undefined ? {} : { tools }) },
  rules,
});
const NOTICE = "The hooks need PreToolUse for more tools, but Claude Code does not call Tenterhook for that.";

const entry = (project: Project, file = ".claude/settings.json") =>
  JSON.parse(readFileSync(join(project.cwd, file), "utf8")).hooks.PreToolUse[0];

describe("install", () => {
  it("has Claude Code call us only for tools that hooks want or that change something; a call says when that is too little", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([on("calls", ["Bash"])]);
    await project.run(["install", "claude"]);
    const isCalled = (tool: string) => new RegExp(entry(project).matcher).test(tool);
    expect(["Bash", "Write", "mcp__a__b", "Read", "Grep"].map(isCalled)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    await project.configure([on("calls", ["Bash"]), on("reads", ["Read"])]);
    const { stdout } = await project.hook(shellCall("ls"));
    expect(JSON.parse(stdout).systemMessage).toBe(`${NOTICE} Run: tenterhook install --sync`);
    expect((await project.run(["doctor"])).stdout.replaceAll(/\s+/g, " ")).toContain(
      "✗ claude Claude Code does not ask about all tools on PreToolUse that the hooks need (.claude/settings.json). Fix: tenterhook install --sync",
    );
    await project.run(["install", "--sync"]);
    expect(["Bash", "Read", "Grep"].map(isCalled)).toEqual([true, true, false]);
  });

  it("asks for all tools in settings that other folders share, since their hooks are not known here", async () => {
    const project = newProject();
    await project.configure([on("calls", ["Bash"])]);
    await project.run(["install", "claude", "--user"]);
    expect(entry(project, "../home/.claude/settings.json").matcher).toBeUndefined();
  });

  it.each([
    [["Bash(rm:*)", "Edit(secret/**)"], false],
    [["Bash(rm:*)", "Read(.env)"], true],
  ])("asks for the tools that the permissions %j are about", async (rules, expected) => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", JSON.stringify({ permissions: { deny: rules } }));
    await trustProject(project.cwd, project.environment);
    expect((await project.run(["install", "claude"])).stderr).toBe("");
    expect(new RegExp(entry(project).matcher ?? "").test("Grep")).toBe(expected);
  });

  it("asks for all tools when one hook wants all", async () => {
    const project = newProject();
    await project.configure([on("calls", ["Bash"]), on("all")]);
    await project.run(["install", "claude"]);
    expect(entry(project).matcher).toBeUndefined();
  });

  it("says what happens to people without Tenterhook", async () => {
    const project = newProject();
    await project.configure([on("calls")]);
    const outputOf = async (...more: readonly string[]) =>
      (await project.run(["install", "claude", "-v", ...more])).stdout.replaceAll(/\s+/g, " ");
    expect(await outputOf()).toContain(
      "Everybody who starts Claude Code in this project needs tenterhook on the PATH: without it, Claude Code blocks PreToolUse. npm install --save-dev tenterhook gives the project a copy of its own.",
    );
    expect(await outputOf("--user")).not.toContain("Everybody");
  });

  it("calls the project's own copy where the project depends on it; doctor and uninstall know it", async () => {
    const project = newProject();
    await project.configure([on("calls")]);
    project.write("package.json", JSON.stringify({ devDependencies: { tenterhook: "1" } }));
    project.write("node_modules/.bin/tenterhook", "");
    const { stdout } = await project.run(["install", "claude", "-v"]);
    const { command } = entry(project).hooks[0];
    expect(command).toMatch(/ "\$CLAUDE_PROJECT_DIR"\/node_modules\/\.bin\/tenterhook hook$/);
    expect(command).toContain("Run npm install in the project");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "It calls the project's own copy of Tenterhook. Claude Code blocks PreToolUse for people who have not run npm install yet.",
    );
    const again = await project.run(["install", "claude", "-v"]);
    expect(again.stdout).toContain("is up to date");
    const doctor = (await project.run(["doctor"])).stdout.replaceAll(/\s+/g, " ");
    expect(doctor).toContain(
      ".claude/settings.json calls Tenterhook for SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, Stop, Notification.",
    );
    expect(doctor).toContain("agents call node_modules/.bin/tenterhook");
    expect(doctor).not.toContain("differently");
    expect((await project.run(["import", "claude", "--yes"])).stdout).toContain("Found nothing new");
    await project.run(["uninstall", "claude"]);
    expect(() => entry(project)).toThrow();
  });

  it("changes the command when the project gets a copy of its own", async () => {
    const project = newProject();
    await project.configure([on("calls")]);
    await project.run(["install", "claude"]);
    project.write("package.json", JSON.stringify({ dependencies: { tenterhook: "1" } }));
    project.write("node_modules/.bin/tenterhook", "");
    await project.run(["install", "claude"]);
    expect(entry(project).hooks).toMatchObject([{ command: expect.stringContaining("node_modules") }]);
  });
});
