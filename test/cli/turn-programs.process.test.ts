import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { trustProject } from "../support/trust-project.ts";
import { agentHere, json, RUN } from "./support/own-agent.ts";
import { newProject, type Project } from "./support/project.ts";

/** A project whose program for the start of a turn told the built-in agent something, and whose other one said nothing. */
async function ranOnce(): Promise<Project> {
  const project = newProject();
  project.write("script.yaml", stringify([{ text: "Done." }]));
  project.write(".agent/hook.toml", '[turn_start]\ncommand = "./start"\n[turn_end]\ncommand = "./end"\n');
  project.write("start", "#!/bin/sh\necho mind the gap >&2\n");
  project.write("end", "#!/bin/sh\n");
  for (const name of ["start", "end"]) chmodSync(join(project.cwd, name), 0o755);
  await trustProject(project.cwd, project.environment);
  expect(await agentHere(project, ...RUN)).toMatchObject({ code: 0 });
  return project;
}

it("the log shows what a turn program told the agent, and with --all also the one that said nothing", async () => {
  const project = await ranOnce();
  const lines = (await project.run(["log"])).stdout.split("\n").map((line) => line.replaceAll(/\s+/g, " "));
  expect(lines).toContainEqual(expect.stringMatching(/context TurnStart Hook\(TurnStart\): mind the gap$/));
  expect(lines.join("\n")).not.toContain("TurnEnd");
  expect((await project.run(["log", "--all"])).stdout).toContain("TurnEnd");
});

it("the sums of the log count turn programs as hooks of this project", async () => {
  const project = await ranOnce();
  const { hooks } = await json(project, "log", "--stats");
  const counted = hooks.filter(({ name }: { readonly name: string }) => name.startsWith("Hook("));
  expect(counted).toEqual([
    expect.objectContaining({ name: "Hook(TurnEnd)", runs: 1, contexts: 0, failures: 0 }),
    expect.objectContaining({ name: "Hook(TurnStart)", runs: 1, contexts: 1, failures: 0 }),
  ]);
});

it("list counts the runs of a turn program, and list NAME shows the last ones", async () => {
  const project = await ranOnce();
  const shown = async (...args: readonly string[]) =>
    (await project.run(args)).stdout.replaceAll(/\s+/g, " ");
  expect(await shown("list")).toContain("Hook(TurnStart) ./start .agent/hook.toml 1 run");
  const one = await shown("list", "turn_start");
  expect(one).toContain("last 7 days in this project 1 run,");
  expect(one).toMatch(/TurnStart \S+ m?s context: mind the gap/);
});
