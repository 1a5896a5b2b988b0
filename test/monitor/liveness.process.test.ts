import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processLooks } from "../../src/monitor/daemon/liveness.ts";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../src/monitor/monitor.ts";
import { agentProcess } from "../../src/monitor/report/agent-process.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import { endAfterTest, eventually } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { monitorEvent } from "./support/events.ts";
import { openStore } from "./support/open-store.ts";

/** An agent whose process has ended, and looks at it. `late` is still in the spool at the first look. */
async function endedAgent(...late: readonly MonitorEvent[]) {
  return endedAfter(monitorEvent("agent:turn"), late);
}

async function endedAfter(last: MonitorEvent, late: readonly MonitorEvent[] = []) {
  const store = await openStore();
  const { pid } = spawnSync("true");
  await takeIn(store, [monitorEvent("agent:start", { agent_pid: pid }), last]);
  const noLines = { newIn: () => undefined };
  const look = processLooks(createMonitor(store), async () => void (await takeIn(store, late)), noLines);
  return async () => {
    await look();
    return (await store.agents())[0];
  };
}

describe("a look at an agent whose process has ended", () => {
  it("finds that it is gone", async () => {
    const look = await endedAgent();
    expect(await look()).toMatchObject({ state: "gone", session_id: "s1" });
  });

  it("leaves a suspended agent alone that is stored, and finds that one in memory is gone", async () => {
    const suspended = { prompt_type: "permission", question: "May I?", suspended: true };
    const stored = await endedAfter(monitorEvent("agent:prompt", suspended));
    expect(await stored()).toMatchObject({ state: "prompting", suspended: true });
    const lost = await endedAfter(monitorEvent("agent:prompt", { ...suspended, in_memory: true }));
    expect(await lost()).toMatchObject({ state: "gone" });
  });

  it("takes in first that the user has ended its session", async () => {
    const look = await endedAgent(monitorEvent("agent:exit"));
    expect(await look()).toMatchObject({ state: "exited" });
    expect(await look()).toMatchObject({ state: "exited" });
  });

  it("says nothing about a new process with the same name", async () => {
    const launched = monitorEvent("agent:launched", { session_id: "s2", ...agentProcess(process.pid) });
    const look = await endedAgent(launched);
    const expected = { state: "starting", session_id: "s2", pid: process.pid };
    expect(await look()).toMatchObject(expected);
    expect(await look()).toMatchObject(expected);
  });
});

describe("a look at an agent that has ended", () => {
  const session_id = "01a1f4d9-4a31-71c3-834e-85aee474e464";

  async function resumedAs(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const store = await openStore();
    const about = { agent_id: session_id, session_id, host: "codex", time: new Date().toISOString() };
    await takeIn(store, [monitorEvent("agent:start", about), monitorEvent("agent:exit", about)]);
    const program = join(temporaryFolder(), "codex");
    writeFileSync(program, "#!/bin/sh\nread forever\n", { mode: 0o755 });
    const child = spawn(program, args, {
      stdio: ["pipe", "ignore", "ignore"],
      env: { ...process.env, ...env },
    });
    endAfterTest(child);
    await once(child, "spawn");
    const noLines = { newIn: () => undefined };
    const look = processLooks(createMonitor(store), async () => undefined, noLines);
    return { store, look, child };
  }

  it("finds that its session was resumed, before its first word", async () => {
    const { store, look, child } = await resumedAs(["resume", session_id]);
    await eventually(async () => {
      await processLooks(createMonitor(store), async () => undefined, { newIn: () => undefined })();
      expect((await store.agents())[0]).toMatchObject({
        state: "starting",
        source: "inferred",
        pid: child.pid,
      });
    });
    child.stdin?.end();
    await once(child, "close");
    await look();
    expect((await store.agents())[0]).toMatchObject({ state: "exited" });
  });

  it.each([
    ["a program of another session", ["resume", "another"], {}],
    ["one that runs under another name", ["resume", session_id], { TENTERHOOK_AGENT_ID: "other" }],
  ])("does not take %s for it", async (_, args, env) => {
    const { store, look } = await resumedAs(args, env);
    await look();
    expect((await store.agents())[0]).toMatchObject({ state: "exited" });
  });
});
