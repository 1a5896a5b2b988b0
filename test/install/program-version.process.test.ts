import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { programVersion } from "../../src/install/found-agents.ts";
import { newProject } from "../cli/support/project.ts";

it("an agent that writes into its home when it is asked for its version finds an empty one, which is gone afterwards", async () => {
  const project = newProject();
  const home = join(project.folder, "home");
  const said = join(project.folder, "said");
  const program = project.write(
    "../bin/gemini",
    `#!/bin/sh
folder="\${GEMINI_CLI_HOME:-$HOME}"
mkdir -p "$folder/.gemini" && echo "$folder" > '${said}'
echo "0.61.0, for $HOME"
`,
  );
  chmodSync(program, 0o755);
  project.environment.PATH = `${join(program, "..")}:/usr/bin:/bin`;
  const { signal } = new AbortController();
  const gemini = await integrationOf("gemini");
  expect(await programVersion(gemini, { ...project, signal })).toBe("0.61.0");
  expect(existsSync(said)).toBe(true);
  expect(existsSync(join(home, ".gemini"))).toBe(false);
});
