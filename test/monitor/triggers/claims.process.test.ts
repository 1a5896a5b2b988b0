import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../../src/monitor/monitor.ts";
import { claimAction, claimOn, triggerLooks } from "../../../src/monitor/triggers/watch-triggers.ts";
import { thisProcess } from "../../../src/node/identity/process-identity.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { monitorEvent } from "../support/events.ts";
import { openStore } from "../support/open-store.ts";

it("one process claims an action, however many try", () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  expect(claimOn("a-1", environment)).toBeUndefined();
  expect(["a-1", "a-1", "a-2"].map((id) => claimAction(id, environment))).toEqual([true, false, true]);
  expect(claimOn("a-1", environment)).toMatchObject({ holder: "alive" });
});

it("an action whose process was killed is not done again: a human decides", async () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const store = await openStore();
  const claims = join(environment.XDG_STATE_HOME, "tenterhook/monitor/actions");
  mkdirSync(claims, { recursive: true });
  const begun: string[] = [];
  const { pid } = spawnSync("true");
  const look = triggerLooks({
    monitor: createMonitor(store),
    environment,
    settingsFor: async () => ({ on_dead: "resume" }),
    carryOut: (id) => {
      begun.push(id);
      writeFileSync(join(claims, id), `${JSON.stringify({ ...thisProcess(), pid })}\nbegun`);
    },
    drain: async () => undefined,
  });
  await takeIn(store, [monitorEvent("agent:gone")]);
  await look();
  await look();
  expect(await store.decisions("open")).toMatchObject([
    { source: "dead", context: "The process that carried out resume ended without a result." },
  ]);
  expect(begun).toHaveLength(1);
  expect(await store.agents()).toMatchObject([{ state: "gone", attempts: { on_dead: { count: 1 } } }]);
});

it("an action that no process begins is a human's matter after three tries, and nobody begins it then", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const store = await openStore();
  const begun: string[] = [];
  const look = triggerLooks({
    monitor: createMonitor(store),
    environment,
    settingsFor: async () => ({ on_dead: { action: "resume", cooldown: "1h" } }),
    carryOut: (id) => begun.push(id),
    drain: async () => undefined,
  });
  await takeIn(store, [monitorEvent("agent:gone")]);
  for (let looks = 0; looks < 60; looks += 1) {
    await look();
    vi.setSystemTime(Date.now() + 2000);
  }
  expect(begun).toHaveLength(3);
  expect(await store.decisions("open")).toMatchObject([
    { source: "dead", context: "No process could be started for resume; the monitor tried 3 times." },
  ]);
  const [agent] = await store.agents();
  expect(agent).not.toHaveProperty("pending");
  expect(claimAction(begun[0] ?? "", environment)).toBe(false);
});
