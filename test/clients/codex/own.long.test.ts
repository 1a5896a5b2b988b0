import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rulesHook } from "../../support/hook-definitions.ts";
import { clientProject, installInto } from "../support/client.ts";
import { CODEX, runCodex } from "../support/codex.ts";

const REFUSES = rulesHook("refuses", 'command contains "made" -> deny("Nothing is made here.")');

describe("Codex", () => {
  it("skips our hooks until its user trusts them, and doctor says so", async () => {
    const project = clientProject();
    await installInto("codex", project, [REFUSES]);
    const { stdout } = await project.run(["doctor"]);
    expect(stdout).toContain("Codex skips PreToolUse");
    await runCodex({ project, script: [CODEX.shell("touch made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(true);
  });

  it("obeys again after install --trust and after a sync that changes our entries", async () => {
    const project = clientProject();
    await installInto("codex", project, [REFUSES], { options: ["--trust"] });
    await project.configure([REFUSES, { ...REFUSES, name: "slow", timeout: 1000 }]);
    expect(await project.run(["install", "--sync"])).toMatchObject({ code: 0 });
    await runCodex({ project, script: [CODEX.shell("touch made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
  });

  it("shows the model a rewritten result in place of the real one", async () => {
    const project = clientProject();
    const reply = { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "[redacted]" } };
    project.write("redact.sh", `#!/bin/sh\necho '${JSON.stringify(reply)}'\n`);
    const hook = {
      name: "redact",
      type: "command",
      script: "redact.sh",
      matcher: { events: ["PostToolUse"] },
    };
    await installInto("codex", project, [hook], { options: ["--trust"] });
    const { lastSent } = await runCodex({ project, script: [CODEX.shell("printf hid; printf den")] });
    expect([lastSent.includes("[redacted]"), lastSent.includes("hidden")]).toEqual([true, false]);
  });
});
