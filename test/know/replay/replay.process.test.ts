import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { claudeSession, HOOKS, projectWith } from "./support.ts";

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
