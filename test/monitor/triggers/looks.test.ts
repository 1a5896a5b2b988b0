import { expect, it } from "vitest";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../../src/monitor/monitor.ts";
import { triggerLooks } from "../../../src/monitor/triggers/watch-triggers.ts";
import { monitorEvent } from "../support/events.ts";
import { openStore } from "../support/open-store.ts";

it("a look reads the settings of a folder once, however many agents are in it, and the next look again", async () => {
  const store = await openStore();
  const gone = (agent_id: string, cwd: string) => monitorEvent("agent:gone", { agent_id, cwd });
  await takeIn(store, [gone("a", "/one"), gone("b", "/one"), gone("c", "/two"), gone("d", "/one")]);
  const read: string[] = [];
  const look = triggerLooks({
    monitor: createMonitor(store, {}),
    environment: {},
    settingsFor: async (cwd) => {
      read.push(cwd);
      return {};
    },
    carryOut: () => undefined,
    drain: async () => undefined,
  });
  await look();
  expect(read).toEqual(["/one", "/two"]);
  await look();
  expect(read).toEqual(["/one", "/two", "/one", "/two"]);
});
