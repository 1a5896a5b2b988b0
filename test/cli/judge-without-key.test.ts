import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

const JUDGE = { name: "judge", type: "llm", prompt: "Deny.", matcher: { events: ["PreToolUse"] } };

it("validate and doctor say that a judge has neither a model nor a key", async () => {
  const project = newProject();
  await project.configure([JUDGE]);
  const problem = /No model is named: set models\.judge, or a key .* set ANTHROPIC_API_KEY or/;
  const validated = await project.run(["check", "--json"]);
  expect(validated.stdout).toMatch(problem);
  const { stdout, code } = await project.run(["doctor", "--json"]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(problem)]);
});

it("the key of a provider is enough: its small model judges", async () => {
  const project = newProject();
  await project.configure([JUDGE]);
  project.environment.OPENAI_API_KEY = "test";
  expect((await project.run(["check", "--json"])).stdout).not.toContain("will fail");
  expect((await project.run(["list", "--failing", "--json"])).stdout).not.toContain("judge");
});
