import { expect, it } from "vitest";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../../src/monitor/monitor.ts";
import { eventsFor } from "../../../src/monitor/team/exchange.ts";
import { silenceLooks } from "../../../src/monitor/team/silence.ts";
import { monitorEvent } from "../support/events.ts";
import { openStore } from "../support/open-store.ts";

it("an agent that works on a machine of which nothing is heard has no news, until the machine is heard again", async () => {
  const store = await openStore();
  const monitor = createMonitor(store);
  await takeIn(store, [monitorEvent("agent:turn")]);
  await takeIn(store, [monitorEvent("agent:turn")], { machine: "laptop" });
  await takeIn(store, [monitorEvent("agent:turn")], { machine: "server" });
  const heard = new Map([["laptop", Date.UTC(2026, 0, 2)]]);
  const look = silenceLooks(
    monitor,
    (machine) => heard.get(machine) ?? Date.now(),
    () => Date.UTC(2026, 0, 2, 0, 2),
  );
  const news = async () => (await store.agents()).map((one) => [one.agent_id, one.no_news_since]);
  const known = [
    ["worker", undefined],
    ["worker@laptop", undefined],
    ["worker@server", undefined],
  ];
  await look();
  expect(await news()).toEqual([known[0], ["worker@laptop", "2026-01-02T00:00:00.000Z"], known[2]]);
  heard.set("laptop", Date.UTC(2026, 0, 2, 0, 1));
  await look();
  expect(await news()).toEqual(known);
});

it("what this machine makes of another one's silence is told to nobody", async () => {
  const store = await openStore();
  const monitor = createMonitor(store);
  await takeIn(store, [monitorEvent("agent:turn")], { machine: "laptop" });
  const heardAt = () => Date.UTC(2026, 0, 2);
  await silenceLooks(monitor, heardAt, () => Date.UTC(2026, 0, 3))();
  expect((await store.agents()).map(({ no_news_since }) => no_news_since)).toEqual([
    "2026-01-02T00:00:00.000Z",
  ]);
  const sent: unknown[] = [];
  const { send } = eventsFor({
    store,
    client: {
      send: async (events) => void sent.push(...events.map(({ type }) => type)),
      receipts: async () => {},
    },
    mark: "test",
    since: "2026-01-01T00:00:00.000Z",
    joined: async () => new Set(["laptop"]),
    signal: new AbortController().signal,
    onError: () => undefined,
  });
  await send();
  expect(sent).toEqual(["agent:turn"]);
});
