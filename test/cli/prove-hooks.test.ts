import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

it("prove names hooks that do not guard: a script that is not there, and a Stop hook that gives up", async () => {
  const project = newProject();
  const native = { type: "command", payload: "native", on_failure: "open" };
  await project.configure([
    {
      ...native,
      name: "guard",
      command: "./hooks/guard.sh",
      written_for: "cursor",
      matcher: { events: ["PreToolUse"] },
    },
    {
      ...native,
      name: "stopper",
      command: `echo '{"decision":"block","reason":"Go on."}'`,
      written_for: "claude",
      matcher: { events: ["Stop"] },
    },
  ]);
  const { code, stdout } = await project.run(["prove"]);
  const text = stdout.replaceAll(/\s+/g, " ");
  expect(code).toBe(1);
  expect(text).toContain("✗ hook guard There is no script");
  expect(text).toContain("! hook stopper It stops keeping the agent going after 1800 s or 2000000 tokens");
  const { hooks } = JSON.parse((await project.run(["prove", "--json"])).stdout);
  expect(hooks.map(({ about, level }: { about: string; level: string }) => [about, level])).toEqual([
    ["hook guard", "error"],
    ["hook stopper", "warning"],
  ]);
});

it("prove of an agent that is not there fails, and says so", async () => {
  const project = newProject();
  project.environment.PATH = project.folder;
  const { code, stdout } = await project.run(["prove", "codex"]);
  expect(code).toBe(1);
  expect(stdout).toContain("Codex is not on this machine");
  expect((await project.run(["prove"])).code).toBe(0);
});
