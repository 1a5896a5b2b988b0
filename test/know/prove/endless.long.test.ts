import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { integrationOf } from "../../../src/adapters/integrations.ts";
import { programFault } from "../../../src/know/prove/diagnose.ts";
import { claudeDriver } from "../../../src/know/prove/drivers/claude.ts";
import type { Proven } from "../../../src/know/prove/proof.ts";
import { runAgent } from "../../../src/know/prove/run-agent.ts";
import { inThrowaway } from "../../../src/know/prove/throwaway.ts";
import { collectGarbageWhen } from "../../support/garbage.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** An agent that never ends, and how long it is waited for. */
async function hangs(): Promise<Proven> {
  const folder = temporaryFolder();
  const program = join(folder, "claude");
  mkdirSync(join(folder, "work"));
  const begun = join(folder, "begun");
  writeFileSync(program, `#!/bin/sh\ntouch "${begun}"\nexec sleep 600\n`, { mode: 0o755 });
  collectGarbageWhen(() => existsSync(begun));
  return {
    driver: claudeDriver,
    integration: await integrationOf("claude"),
    program,
    real: { root: join(folder, "work"), home: folder, environment: { PATH: process.env.PATH } },
    signal: new AbortController().signal,
    onRun: () => undefined,
    mostMilliseconds: 1000,
  };
}

describe("prove comes to an end", () => {
  it("when the agent does not", async () => {
    const proven = await hangs();
    const script = { prompt: "begin", steps: [] };
    const run = await inThrowaway(proven, (folder) => runAgent(proven, script, folder));
    expect([run.endless, run.requests]).toEqual([true, 0]);
  });

  it("when our program does not", async () => {
    const proven = await hangs();
    const entry = { command: proven.program };
    const fault = await inThrowaway(proven, (folder) => programFault(proven, [entry], folder));
    expect(fault?.why).toBe(`${proven.program} gives no answer within 1 s`);
  });
});
