import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { integrationOf } from "../../../src/adapters/integrations.ts";
import { hookCommand, PROJECT_PROGRAM } from "../../../src/adapters/settings/hook-command.ts";
import { programFault } from "../../../src/know/prove/diagnose.ts";
import { claudeDriver } from "../../../src/know/prove/drivers/claude.ts";
import { inThrowaway } from "../../../src/know/prove/throwaway.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const QWEN = hookCommand({ gate: true, command: `"$QWEN_PROJECT_DIR"/${PROJECT_PROGRAM} hook` }, "goes on");
const COPILOT = hookCommand(
  { gate: true, command: `"$CLAUDE_PROJECT_DIR"/${PROJECT_PROGRAM} hook` },
  "refuses, reads stdout",
);

it.each([
  ["qwen", QWEN],
  ["copilot", COPILOT],
])("prove starts the project's own program as %s does", async (agent, command) => {
  const folder = temporaryFolder();
  const root = join(folder, "work");
  mkdirSync(root);
  const proven = {
    driver: claudeDriver,
    integration: await integrationOf(agent),
    program: "/bin/true",
    real: { root, home: folder, environment: { PATH: process.env.PATH } },
    signal: new AbortController().signal,
    onRun: () => undefined,
  };
  const fault = await inThrowaway(proven, (throwaway) => {
    const own = join(throwaway.places.root, PROJECT_PROGRAM);
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, "#!/bin/sh\necho broken >&2\nexit 3\n", { mode: 0o755 });
    return programFault(proven, [{ command }], throwaway);
  });
  expect(fault?.why).toMatch(/ decides nothing: it ends with 3 and says "broken"$/);
});
