import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../repository/support/files.ts";
import { needs } from "../../support/needs.ts";
import { trustProject } from "../../support/trust-project.ts";
import { newProject, type Project } from "./project.ts";

export const fixture = (path: string) => JSON.parse(readFileSync(join(ROOT, "test/fixtures", path), "utf8"));

/** A project with this hook of Claude Code, imported. */
export async function imported(event: string, script: string, matcher?: string): Promise<Project> {
  if (script.includes("jq")) needs("jq");
  const project = newProject({ decidesHere: true });
  project.write("hook.sh", `#!/bin/sh\n${script}\n`);
  const hooks = { [event]: [{ matcher, hooks: [{ type: "command", command: "./hook.sh" }] }] };
  project.write(".claude/settings.json", JSON.stringify({ hooks }));
  await project.run(["import", "claude", "--yes", "--remove"]);
  await trustProject(project.cwd, project.environment);
  return project;
}

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@
 keep
-old
+new
*** Add File: b.md
+hello
*** Delete File: c.md
*** End Patch
`;

export const patch = (event: string, project: Project) => ({
  ...fixture(`codex/${event}.apply_patch.json`),
  cwd: project.cwd,
  tool_input: { command: PATCH },
});
