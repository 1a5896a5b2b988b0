import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rulesHook } from "../../support/hook-definitions.ts";
import { CLAUDE } from "../support/claude.ts";
import { clientProject, installInto } from "../support/client.ts";

const REFUSES = rulesHook("refuses", 'command runs "touch made" -> deny("Nothing is made here.")');

it("Claude Code does not run a refused command in a Monitor task", async () => {
  const project = clientProject();
  await installInto("claude", project, [{ ...REFUSES, matcher: { ...REFUSES.matcher, tools: "Bash" } }]);
  const { lastSent } = await CLAUDE.run({
    project,
    script: [
      [["ToolSearch", { query: "select:Monitor" }]],
      [["Monitor", { command: "touch made; echo more", description: "Watch", timeout_ms: 20_000 }]],
      CLAUDE.shell("sleep 1"),
    ],
  });
  expect({
    made: existsSync(join(project.cwd, "made")),
    says: lastSent.includes("Nothing is made here."),
  }).toEqual({ made: false, says: true });
});
