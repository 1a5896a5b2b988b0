import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { clientProject, installInto } from "../support/client.ts";
import { runCodex } from "../support/codex.ts";
import { rulesHook } from "../../support/hook-definitions.ts";
import { piDriver } from "../../../src/know/prove/drivers/pi.ts";
import { piProgram } from "../support/pi.ts";
import { runDriver } from "../support/run-driver.ts";

const REFUSES = rulesHook("refuses", 'command contains "made" -> deny("Nothing is made here.")');

it("codex", async () => {
  const project = clientProject();
  await installInto("codex", project, [REFUSES], { options: ["--trust"] });
  const { requests, stdout, stderr } = await runCodex({ project, script: [], args: ["-c", "features.code_mode=true"] });
  writeFileSync("/tmp/w4-codex-tools.json", JSON.stringify({ tools: requests[0]?.body.tools, stdout, stderr }, null, 1));
});
it("pi", async () => {
  const project = clientProject();
  await installInto("pi", project, [REFUSES]);
  const driver = { ...piDriver, command: (started: Parameters<typeof piDriver.command>[0]) => { const c = piDriver.command(started); return { ...c, args: ["--tools", "+codemode", ...c.args] }; } };
  const { requests, stdout, stderr } = await runDriver(driver, piProgram(), { project, script: [] });
  writeFileSync("/tmp/w4-pi-tools.json", JSON.stringify({ tools: requests[0]?.body.tools, stdout, stderr }, null, 1));
});
