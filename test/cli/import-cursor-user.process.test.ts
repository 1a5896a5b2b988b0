import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project } from "./support/project.ts";

const DENY = `#!/bin/sh
grep -q -- --force && echo '{"permission":"deny","user_message":"Not by force."}' || echo '{}'
`;
const forced = (project: Project) => ({
  conversation_id: "c",
  cursor_version: "1.7",
  hook_event_name: "preToolUse",
  tool_name: "Shell",
  tool_input: { command: "git push --force" },
  workspace_roots: [project.cwd],
});

function withUserHooks(command: string): Project {
  const project = newProject({ decidesHere: true });
  const home = String(project.environment.HOME);
  mkdirSync(join(home, ".cursor/guards"), { recursive: true });
  writeFileSync(join(home, ".cursor/guards/force.sh"), DENY, { mode: 0o755 });
  const hooks = { version: 1, hooks: { preToolUse: [{ command }] } };
  writeFileSync(join(home, ".cursor/hooks.json"), JSON.stringify(hooks));
  return project;
}

describe("a guard of the user's own hooks.json of Cursor", () => {
  it.each(["./guards/force.sh", "sh guards/force.sh; exit 0", "cat | ./guards/force.sh"])(
    "that names its script from ~/.cursor (%s) refuses in every project after the import",
    async (command) => {
      const project = withUserHooks(command);
      const checked = await project.run(["import", "cursor", "--user", "--check", "--yes", "--json"]);
      expect(JSON.parse(checked.stdout)).toMatchObject({ different: 0 });
      expect(checked.stdout).toContain('"verdict": "deny"');
      await project.run(["import", "cursor", "--user", "--yes", "--remove"]);
      const { stdout } = await project.hook(forced(project));
      expect(JSON.parse(stdout)).toMatchObject({ permission: "deny", user_message: "Not by force." });
    },
  );

  it("whose script is gone is an error of doctor", async () => {
    const project = withUserHooks("./guards/gone.sh");
    await project.run(["import", "cursor", "--user", "--yes"]);
    const { code, stdout } = await project.run(["doctor"]);
    expect([code, stdout.replaceAll(/\s+/g, " ")]).toEqual([
      1,
      expect.stringMatching(/There is no script \S+\.cursor\/guards\/gone\.sh/),
    ]);
  });
});
