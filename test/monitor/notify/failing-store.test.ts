import { expect, it } from "vitest";
import { signature } from "../../../src/node/signature.ts";
import type { MonitorStore } from "../../../src/shared/monitor/monitor.ts";
import { eventually } from "../../support/processes.ts";
import { openStore } from "../support/open-store.ts";
import { CHAT, COLOURS } from "./support/chat-world.ts";
import { TOKEN, telegramServer } from "./support/telegram-server.ts";
import { webhookServer } from "./support/webhook-server.ts";
import { held, monitored } from "./support/world.ts";

/** A store that fails from the moment on when a message counts as sent, as if the daemon were killed there. */
function endingWhenSent(store: MonitorStore): MonitorStore {
  let ended = false;
  const unlessEnded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (ended) throw new Error("The daemon was killed.");
    return work();
  };
  return {
    ...store,
    update: (work) =>
      unlessEnded(() =>
        store.update((tables) =>
          work({
            ...tables,
            putDelivery(row) {
              tables.putDelivery(row);
              if (row.state === "sent") ended = true;
            },
          }),
        ),
      ),
    decisions: (which) => unlessEnded(() => store.decisions(which)),
    pendingDeliveries: () => unlessEnded(() => store.pendingDeliveries()),
  };
}

it("the answer of a webhook is given before its message counts as sent", async () => {
  const body = JSON.stringify({ choices: ["accept"] });
  const server = await webhookServer({
    body,
    headers: { "x-tenterhook-signature": signature(body, "the key") },
  });
  const store = await openStore();
  const settings = { notify: [{ webhook: server.url, secret_env: "HOOK_KEY" }] };
  const { take, log } = await monitored(settings, { HOOK_KEY: "the key" }, endingWhenSent(store));
  const asked = held("plan_approval", "1. Paint");
  await take(asked);
  await eventually(() => expect(log.join()).toContain("The daemon was killed."));
  expect(await store.update((tables) => tables.decision(asked.id))).toMatchObject({
    state: "resolved",
    resolved: { by: "webhook", answer: { allow: true } },
  });
});

it("the answer of a webhook is asked for again when the store could not take it", async () => {
  const body = JSON.stringify({ choices: ["accept"] });
  const reply = { body, headers: { "x-tenterhook-signature": signature(body, "the key") } };
  const server = await webhookServer(reply, reply);
  const failing = failingOnce(await openStore());
  const settings = { notify: [{ webhook: server.url, secret_env: "HOOK_KEY" }] };
  const { take, answerTo } = await monitored(settings, { HOOK_KEY: "the key" }, failing.store);
  const asked = held("plan_approval", "1. Paint");
  failing.arm();
  await take(asked);
  expect(await answerTo(asked)).toEqual({ allow: true });
  expect(server.received.length).toBeGreaterThanOrEqual(2);
});

/** A store that fails once, when an answer is to be given. */
function failingOnce(store: MonitorStore) {
  let armed = false;
  return {
    arm: (): void => {
      armed = true;
    },
    store: {
      ...store,
      async decisionsLike(id: string) {
        if (!armed) return store.decisionsLike(id);
        armed = false;
        throw new Error("The disk is full.");
      },
    },
  };
}

it("a tap on Telegram that the store could not take is read again", async () => {
  const telegram = await telegramServer();
  const failing = failingOnce(await openStore());
  const target = { telegram: CHAT, token_env: "BOT_TOKEN", url: telegram.url };
  const { take, answerTo } = await monitored({ notify: [target] }, { BOT_TOKEN: TOKEN }, failing.store);
  const asked = held("question", [COLOURS]);
  await take(asked);
  await eventually(() => expect(telegram.messages()).toHaveLength(1));
  failing.arm();
  for (const message of telegram.messages()) telegram.tap(message, "Blue");
  expect(await answerTo(asked)).toEqual([{ label: "Blue" }]);
});

it("a decision whose messages could not be planned is planned again, and the others are not delayed", async () => {
  const server = await webhookServer();
  const store = await openStore();
  let failures = 2;
  const broken = held("plan_approval", "broken");
  const failing: MonitorStore = {
    ...store,
    update: (work) =>
      store.update((tables) =>
        work({
          ...tables,
          putDelivery(row) {
            if (row.decision === broken.id && row.state === "due" && failures-- > 0)
              throw new Error("The disk is full.");
            tables.putDelivery(row);
          },
        }),
      ),
  };
  const { take } = await monitored({ notify: [{ webhook: server.url }] }, {}, failing);
  await take(broken, held("plan_approval", "whole"));
  await eventually(() =>
    expect(server.received.map(({ body }) => JSON.parse(body).decision.context)).toEqual(["whole", "broken"]),
  );
});
