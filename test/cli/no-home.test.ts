import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";
import { runCli } from "./support/run-cli.ts";

const GUARD = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};

it.each(["", "home", "."])("a repository can't trust itself where HOME is %j", async (HOME) => {
  const project = newProject();
  await project.configure([GUARD]);
  const state = join(project.cwd, HOME, ".local/state");
  cpSync(join(project.folder, "state"), state, { recursive: true });
  const before = readdirSync(project.cwd, { recursive: true });
  const environment = { ...project.environment, HOME, XDG_STATE_HOME: undefined };
  const listed = await runCli(project.cwd, environment, "list", "--json");
  expect(JSON.parse(listed.stdout)).toMatchObject({ hooks: [{ name: "no-push", trusted: false }] });
  expect(readdirSync(project.cwd, { recursive: true })).toEqual(before);
});
