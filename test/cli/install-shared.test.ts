import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newProject, UNWATCHED } from "./support/project.ts";
import { runCli } from "./support/run-cli.ts";

const GATE = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse", "UserPromptSubmit"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
  timeout: 900,
};

/** A project with a gate, in the user's settings, and another folder. */
async function installed() {
  const project = newProject();
  await project.configure([GATE], {}, UNWATCHED);
  const other = join(project.folder, "other");
  mkdirSync(join(other, ".git"), { recursive: true });
  mkdirSync(join(other, ".tenterhook"));
  const inProject = (...args: string[]) => runCli(project.cwd, project.environment, ...args);
  const elsewhere = (...args: string[]) => runCli(other, project.environment, ...args);
  const settings = () => JSON.parse(readFileSync(join(project.folder, "home/.claude/settings.json"), "utf8"));
  await inProject("install", "claude", "--user");
  const configure = async (content: object) => {
    writeFileSync(join(other, ".tenterhook/hooks.yaml"), JSON.stringify({ ...UNWATCHED, ...content }));
    await elsewhere("trust", "--yes");
  };
  return { project, inProject, elsewhere, configure, settings, before: settings() };
}

const STOP = { name: "s", type: "command", command: "true", matcher: { events: ["Stop"] } };

it("an installation for every folder takes no gate from another one", async () => {
  const { inProject, elsewhere, configure, settings, before } = await installed();
  await configure({ hooks: { definitions: [STOP] } });
  const { stdout } = await elsewhere("install", "claude", "--user", "-v");
  expect(stdout).toContain("UserPromptSubmit: no hook needs it here");
  expect(settings().hooks.PreToolUse).toEqual(before.hooks.PreToolUse);
  expect(Object.keys(settings().hooks).sort()).toEqual(["PreToolUse", "Stop", "UserPromptSubmit"]);
  expect((await elsewhere("install", "claude", "--user", "-v")).stdout).toContain("is up to date");
  expect((await elsewhere("install", "--sync", "-v")).stdout).toContain("is up to date");
  for (const run of [inProject, elsewhere])
    expect((await run("doctor")).stdout).not.toMatch(/which no hook needs|another way/);
});

it("a folder that only wants to hear of prompts leaves a gate whole", async () => {
  const { elsewhere, configure, settings, before } = await installed();
  await configure({ monitor: { on_prompt: "escalate" } });
  await elsewhere("install", "claude", "--user");
  expect(settings().hooks.PreToolUse).toEqual(before.hooks.PreToolUse);
});

it("a folder without hooks, and the home folder, leave the gates of others", async () => {
  const { project, elsewhere, settings, before } = await installed();
  await elsewhere("install", "claude", "--user");
  await elsewhere("install", "--sync");
  await runCli(join(project.folder, "home"), project.environment, "install", "claude");
  expect(settings()).toEqual(before);
  await elsewhere("uninstall", "claude", "--user");
  expect(settings).toThrow("ENOENT");
});

it("uninstall says where we still are", async () => {
  const { inProject } = await installed();
  const { stdout } = await inProject("uninstall", "claude");
  expect(stdout).toContain(
    "Tenterhook is not installed in .claude/settings.json.\n  !              It is still installed in ~/.claude/settings.json: tenterhook uninstall claude --user\n",
  );
  const { uninstalled } = JSON.parse((await inProject("uninstall", "claude", "--user", "--json")).stdout);
  expect(uninstalled).toMatchObject([{ changed: true, still_in: [] }]);
});
