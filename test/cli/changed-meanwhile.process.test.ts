import { beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { newProject, shellCall } from "./support/project.ts";

beforeAll(mustBeBuilt);

const gate = { name: "guard", matcher: { events: ["PreToolUse"] } };

describe("the verdict of a hook whose trusted files change while it runs", () => {
  it("counts for nothing when it is a script", async () => {
    const project = newProject({ decidesHere: true });
    project.write("guard.sh", "#!/bin/sh\necho changed >> guard.sh\nexit 0\n");
    await project.configure([{ ...gate, type: "command", script: "guard.sh" }]);
    const { stdout } = await project.hook(shellCall("ls"));
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  });

  it("counts for nothing when it is a module", async () => {
    const project = newProject({ decidesHere: true });
    project.write(
      "guard.mjs",
      `import { appendFileSync } from "node:fs";
export default () => appendFileSync(new URL(import.meta.url), "// changed");
`,
    );
    await project.configure([{ ...gate, type: "module", module: "guard.mjs" }]);
    const { stdout } = await project.hook(shellCall("ls"));
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  });
});
