import { expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { CHAT, COLOURS } from "./support/chat-world.ts";
import { ntfyServer } from "./support/ntfy-server.ts";
import { TOKEN, telegramServer } from "./support/telegram-server.ts";
import { held, monitored } from "./support/world.ts";

/** A monitor that asks on Telegram and on ntfy, with a question that both show. */
async function askedTwice() {
  const [telegram, ntfy] = [await telegramServer(), await ntfyServer()];
  const notify = [
    { telegram: CHAT, token_env: "BOT_TOKEN", url: telegram.url },
    { ntfy: "asks", replies: "says", url: ntfy.url },
  ];
  const world = await monitored({ notify }, { BOT_TOKEN: TOKEN });
  const asked = held("question", [COLOURS]);
  await world.take(asked);
  await eventually(() => expect([telegram.messages().length, ntfy.messages("asks").length]).toEqual([1, 1]));
  await eventually(() => expect(ntfy.streams()).toBe(1));
  const [chat] = structuredClone(telegram.messages());
  const [topic] = ntfy.messages("asks");
  if (chat === undefined || topic === undefined) throw new Error("There is no message.");
  return { ...world, telegram, ntfy, asked, chat, topic };
}

it("when three people answer at once one answer counts, and the others read whose", async () => {
  const { monitor, telegram, ntfy, asked, chat, topic, decision, answerTo } = await askedTwice();
  telegram.tap(chat, "Red");
  const [atDesk] = await Promise.all([
    monitor.resolve(asked.id, { choices: ["Green"] }, { by: "me", channel: "cli" }).then(
      () => "Answered: Green.",
      (error: Error) => error.message,
    ),
    ntfy.tap(topic, "Blue"),
  ]);
  await eventually(() => expect([telegram.alerts.length, ntfy.messages("asks").length]).toEqual([1, 2]));
  const replies = [atDesk, telegram.alerts[0]?.text ?? "", ntfy.messages("asks")[1]?.message ?? ""];
  expect(replies.filter((reply) => reply.startsWith("Answered: "))).toHaveLength(1);
  const { resolved } = (await decision(asked.id)) ?? {};
  const late = replies.filter((reply) => !reply.startsWith("Answered: "));
  expect(late.map((reply) => reply.includes(String(resolved?.by)))).toEqual([true, true]);
  expect(await answerTo(asked)).toEqual([{ label: resolved?.answer }]);
});

it("an answer to a question that no hook waits for any more is not taken, and is no answer to the new one", async () => {
  const { take, telegram, ntfy, asked, chat, topic, decision } = await askedTwice();
  const { waits_until: _, ...again } = held("plan_approval", "1. Paint.", { agent_id: asked.agent_id });
  // Its hook has ended meanwhile.
  await take({ ...again, time: new Date(Date.now() + 120_000).toISOString() });
  telegram.tap(chat, "Red");
  await ntfy.tap(topic, "Blue");
  const gone = "Too late: nobody answered in time.";
  await eventually(() => expect(telegram.alerts.map(({ text }) => text)).toEqual([gone]));
  await eventually(() => expect(ntfy.messages("asks").map(({ message }) => message)).toContain(gone));
  expect([(await decision(asked.id))?.state, (await decision(again.id))?.state]).toEqual([
    "dismissed",
    "open",
  ]);
});
