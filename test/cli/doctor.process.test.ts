import { delimiter, dirname } from "node:path";
import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

it.each([
  ["GitHub Copilot CLI 1.0.102.", "1.0.102"],
  ["0.62.0-nightly.20260301", "0.62.0-nightly.20260301"],
])("doctor reads the version that a program tells: %s", async (said, version) => {
  const project = newProject();
  const program = project.write("../bin/claude", `#!/bin/sh\necho '${said} (Claude Code)'\n`);
  project.environment.PATH = [dirname(program), process.env.PATH].join(delimiter);
  const { stdout } = await project.run(["doctor", "--json"]);
  expect(JSON.parse(stdout).findings).toContainEqual(
    expect.objectContaining({ about: "claude", message: `Claude Code ${version}.` }),
  );
});
