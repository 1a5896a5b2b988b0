import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rulesHook } from "../../support/hook-definitions.ts";
import { AUGGIE, runAuggie } from "../support/auggie.ts";
import { clientProject, installInto } from "../support/client.ts";

const REFUSES = rulesHook("refuses", 'command contains "made" -> deny("Nothing is made here.")');
const script = [AUGGIE.shell("touch made")];

describe("Auggie", () => {
  it("does not run a refused call when another hook fails", async () => {
    const project = clientProject();
    await installInto("auggie", project, [REFUSES]);
    const file = join(project.cwd, ".augment/settings.json");
    const settings = JSON.parse(readFileSync(file, "utf8"));
    settings.hooks.PreToolUse.push({ hooks: [{ type: "command", command: "cat > /dev/null; exit 1" }] });
    writeFileSync(file, JSON.stringify(settings));
    const { lastSent } = await runAuggie({ project, script });
    expect(lastSent).toContain("Nothing is made here.");
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
  });

  it("runs no hooks when its server has not enabled them, which install and doctor say", async () => {
    const project = clientProject();
    await project.configure([REFUSES]);
    for (const command of [
      ["install", "auggie"],
      ["doctor", "-v"],
    ]) {
      const { stdout, stderr } = await project.run(command);
      expect(stdout + stderr).toContain("only if Augment's server has enabled them");
    }
    await runAuggie({ project, script }, { enable_hooks: false });
    expect(existsSync(join(project.cwd, "made"))).toBe(true);
  });

  it("has our hooks run without the token of its session", async () => {
    const project = clientProject();
    project.write("seen.sh", "#!/bin/sh\nenv | grep -o '^AUGMENT_[A-Z_]*' | sort > seen\n");
    const hook = { name: "seen", type: "command", script: "seen.sh", matcher: { events: ["PreToolUse"] } };
    await installInto("auggie", project, [hook]);
    await runAuggie({ project, script });
    expect(readFileSync(join(project.cwd, "seen"), "utf8").trim().split("\n")).toEqual([
      "AUGMENT_CONVERSATION_ID",
      "AUGMENT_DISABLE_AUTO_UPDATE",
      "AUGMENT_HOOK_EVENT",
      "AUGMENT_PROJECT_DIR",
      "AUGMENT_TOOL_NAME",
    ]);
  });

  it("has the model read context after a call", async () => {
    const project = clientProject();
    const rules = 'command contains "made" -> context("The build is red.")';
    await installInto("auggie", project, [{ ...REFUSES, matcher: { events: ["PostToolUse"] }, rules }]);
    const { lastSent } = await runAuggie({ project, script });
    expect(lastSent).toContain("The build is red.");
  });

  it("does not type into a running program what a hook on shell commands refuses", async () => {
    const project = clientProject();
    await installInto("auggie", project, [
      { ...REFUSES, matcher: { events: ["PreToolUse"], tools: ["Bash"] } },
    ]);
    const { lastSent } = await runAuggie({
      project,
      script: [[["write-process", { terminal_id: 1, input_text: "touch made\n" }]]],
    });
    expect(lastSent).toContain("Nothing is made here.");
  });
});
