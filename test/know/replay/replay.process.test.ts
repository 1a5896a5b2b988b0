import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { bash, claudeSession, HOOKS, projectWith, record } from "./support.ts";

it("hooks that are programs run with --run alone, and what was recorded never runs", async () => {
  const project = projectWith();
  const canary = {
    name: "canary",
    type: "command",
    command: "touch canary",
    matcher: { events: ["PreToolUse"] },
  };
  await project.configure([...parse(HOOKS).hooks.definitions, canary]);
  const calls = [["Bash", { command: "touch called" }] as const];
  writeFileSync(join(project.cwd, "session.jsonl"), claudeSession(calls, { cwd: project.cwd }));
  const isThere = (name: string) => existsSync(join(project.cwd, name));
  await project.run(["replay", "session.jsonl"]);
  expect([isThere("canary"), isThere("called")]).toEqual([false, false]);
  await project.run(["replay", "--run", "session.jsonl"]);
  expect([isThere("canary"), isThere("called")]).toEqual([true, false]);
});

it("the page of --html has no secrets, and the file that was there before is stored", async () => {
  const project = projectWith();
  project.write("page.html", "<p>mine</p>\n");
  const secret = `ghp_${"a1B2".repeat(9)}`;
  record(project, claudeSession([bash(`GH_TOKEN=${secret} git push --force`), bash(`echo ${secret}`)]));
  const { stdout, stderr } = await project.run(["replay", "--html", "page.html"]);
  const page = readFileSync(join(project.cwd, "page.html"), "utf8");
  expect(page).toContain("git push --force");
  expect(page).not.toContain(secret);
  expect(stdout + stderr).toMatch(/backup: \S+/);
  const backups = join(project.folder, "state/tenterhook/backups");
  expect(readdirSync(backups).map((name) => readFileSync(join(backups, name), "utf8"))).toEqual([
    "<p>mine</p>\n",
  ]);
});
