import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

/** A project whose user has two hooks in Claude Code's own settings. */
function withUserHooks() {
  const project = newProject();
  const settings = join(String(project.environment.HOME), ".claude/settings.json");
  mkdirSync(dirname(settings), { recursive: true });
  const group = (command: string) => ({ hooks: [{ type: "command", command }] });
  writeFileSync(settings, JSON.stringify({ hooks: { Stop: [group("a"), group("b")] } }));
  return project;
}

it("import of a project without hooks names those of the user's settings", async () => {
  const project = withUserHooks();
  project.write(".claude/settings.json", "{}");
  const { code, stdout } = await project.run(["import", "claude"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Found nothing new to import in .claude/settings.json.");
  expect(stdout).toContain(
    "2 hooks of your user settings (~/.claude/settings.json): tenterhook import claude --user",
  );
});

it("import of a project without settings names those of the user", async () => {
  const { code, stderr } = await withUserHooks().run(["import", "claude"]);
  expect(code).toBe(1);
  expect(stderr).toContain("There is no file");
  expect(stderr).toContain("2 hooks in your user settings: tenterhook import claude --user");
});

it("import without an agent says which hooks there are, with the command for each", async () => {
  const project = withUserHooks();
  const { code, stdout } = await project.run(["import"]);
  expect([code, stdout]).toEqual([0, "  tenterhook import claude --user   2 hooks in your user settings\n"]);
  const found = JSON.parse((await project.run(["import", "--json"])).stdout);
  expect(found).toMatchObject([{ hooks: 2, command: "tenterhook import claude --user" }]);
  const { stderr } = await project.run(["import", "--undo"]);
  expect(stderr).toContain("Which agent?");
});

it("import without an agent says that there are no hooks, and how to import others", async () => {
  const { code, stdout } = await newProject().run(["import"]);
  expect([code, stdout]).toEqual([
    0,
    "No hooks of other agents were found. tenterhook import AGENT FILE imports those of a file.\n",
  ]);
});
