import { expect, it } from "vitest";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import type { Channel } from "../../../src/monitor/notify/channel.ts";
import { deliverer } from "../../../src/monitor/notify/deliver.ts";
import { createRedactor } from "../../../src/node/records/redact.ts";
import { monitorEvent, question } from "../support/events.ts";
import { openStore } from "../support/open-store.ts";

it("a message tells in the end what became of a question while the channel was told something else", async () => {
  const store = await openStore();
  const asked = question({ waits_until: "2099-01-01T00:00:00.000Z" });
  await takeIn(store, [asked, monitorEvent("agent:wait_over", { prompt: asked.id })]);
  const told: string[] = [];
  const channel: Channel = {
    type: "telegram",
    key: "k",
    send: async () => ({}),
    async close({ decision }) {
      told.push(decision.state);
      // The agent goes on while the message is changed.
      if (told.length === 1) await takeIn(store, [monitorEvent("agent:went_on")]);
    },
  };
  const advance = deliverer({
    store,
    monitor: { resolve: () => Promise.reject(new Error("Nobody answers.")) },
    redactor: createRedactor({}),
    ports: { report: () => undefined, log: () => undefined },
    signal: new AbortController().signal,
  });
  const row = { decision: asked.id, channel: "k", part: 0, question: 0, state: "sent", attempts: 0 } as const;
  await store.update((tables) => tables.putDelivery(row));
  for (let looks = 0; looks < 3; looks += 1)
    for (const pending of await store.pendingDeliveries()) await advance(channel, pending);
  expect(told).toEqual(["open", "dismissed"]);
});
