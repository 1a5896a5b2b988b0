import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

it("prove counts the agents that are there, and fails when one that is named is not", async () => {
  const project = newProject();
  project.write("../bin/claude", "#!/bin/sh\necho 2.1.327\n");
  project.environment.PATH = `${project.folder}/bin:/usr/bin:/bin`;
  const { code, stdout } = await project.run(["prove", "claude", "codex"]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/ 0 of 1 agent obeys\. 0 scenarios in/)]);
  expect(stdout).toContain("Codex is not on this machine: there is no program codex on the PATH.");
});
