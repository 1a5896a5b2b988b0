import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { CHAT, COLOURS, chatWorld } from "./support/chat-world.ts";
import { error, TOKEN, telegramServer } from "./support/telegram-server.ts";
import { held, monitored } from "./support/world.ts";

describe("the reader of Telegram", () => {
  it("goes on after updates that it can't read, edits and other kinds", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    telegram.push({ callback_query: 7 });
    telegram.push({ callback_query: { id: "x", data: "nonsense", message: { chat: { id: CHAT } } } });
    telegram.push({ callback_query: { id: "y", data: `${asked.id} 99 1`, message: { chat: { id: CHAT } } } });
    telegram.push({ message: { chat: { id: CHAT }, text: { no: "text" } } });
    telegram.push({ edited_message: { chat: { id: CHAT }, text: "Red", reply_to_message: shown } });
    telegram.push({ poll: {} });
    telegram.tap(shown, "Blue");
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }]);
    await eventually(() => expect(telegram.unconfirmed()).toBe(0));
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof telegramServer>>["fail"]>[1]]>([
    ["a lost connection", "drop"],
    ["a reply that is no JSON", "garbage"],
    ["an error of the server", error(502, "Bad Gateway")],
    ["a wish to wait", error(429, "Too Many Requests: retry after 1", { retry_after: 1 })],
  ])("goes on after %s", async (_, failure) => {
    const { take, message, telegram, answerTo } = await chatWorld();
    telegram.fail("getUpdates", failure);
    const asked = held("question", [COLOURS]);
    await take(asked);
    telegram.tap(await message(), "Blue");
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }]);
  });

  it("takes what was said while the daemon was down, once", async () => {
    const { take, message, telegram, answerTo, close, start, decision } = await chatWorld();
    const [first, second] = [held("question", [COLOURS]), held("question", [COLOURS])];
    await take(first);
    telegram.tap(await message(), "Blue");
    expect(await answerTo(first)).toEqual([{ label: "Blue" }]);
    await eventually(() => expect(telegram.alerts).toHaveLength(1));
    await take(second);
    const shown = await message(1, 2);
    await close();
    telegram.tap(shown, "Red");
    start();
    expect(await answerTo(second)).toEqual([{ label: "Red" }]);
    await eventually(() => expect(telegram.alerts).toHaveLength(2));
    expect((await decision(first.id))?.resolved?.answer).toBe("Blue");
  });
});

describe("a message to Telegram", () => {
  it.each<[string, Parameters<Awaited<ReturnType<typeof telegramServer>>["fail"]>[1]]>([
    ["a lost connection", "drop"],
    ["a wish to wait", error(429, "Too Many Requests: retry after 1", { retry_after: 1 })],
    ["an error of the server", error(500, "Internal Server Error")],
  ])("is sent again after %s", async (_, failure) => {
    const { take, message, telegram } = await chatWorld();
    telegram.fail("sendMessage", failure);
    await take(held("question", [COLOURS]));
    await message();
    expect(telegram.calls.filter(({ method }) => method === "sendMessage")).toHaveLength(2);
  });

  it("that Telegram refuses is not sent again, and the status says why", async () => {
    const { take, telegram, notifier } = await chatWorld();
    telegram.fail("sendMessage", error(403, "Forbidden: bot was blocked by the user"));
    await take(held("question", [COLOURS]));
    await eventually(() =>
      expect(notifier.channels()).toEqual([
        { channel: "telegram", problem: "Forbidden: bot was blocked by the user." },
      ]),
    );
    expect(telegram.messages()).toEqual([]);
  });

  it("is not sent again when the daemon starts again", async () => {
    const { take, message, telegram, close, start, store } = await chatWorld();
    await take(held("question", [COLOURS]));
    await message();
    // What was under way when a daemon ended is sent again: nobody knows whether it arrived.
    await eventually(async () => expect(await store.pendingDeliveries()).toMatchObject([{ state: "sent" }]));
    await close();
    start();
    const next = held("question", [COLOURS]);
    await take(next);
    await message(1, 2);
    expect(telegram.messages()).toHaveLength(2);
  });

  it("has no secrets in it", async () => {
    const telegram = await telegramServer();
    const target = { telegram: CHAT, token_env: "BOT_TOKEN", url: telegram.url };
    const world = await monitored(
      { notify: [target] },
      { BOT_TOKEN: TOKEN, DB_PASSWORD: "correct horse battery" },
    );
    await world.take(
      held(
        "question",
        [{ question: "Is correct horse battery right?", options: [{ label: `use ${TOKEN}` }] }],
        {
          context: "I read password=hunter2hunter2 in the file.",
        },
      ),
    );
    await eventually(() => expect(telegram.messages()).toHaveLength(1));
    const text = JSON.stringify(telegram.messages());
    for (const secret of ["correct horse battery", "hunter2hunter2", TOKEN])
      expect(text).not.toContain(secret);
    expect(text).toContain("[redacted]");
  });

  it("about a long plan is cut to what Telegram takes", async () => {
    const { take, message } = await chatWorld();
    await take(held("plan_approval", "🏗".repeat(10_000)));
    expect((await message()).reply_markup?.inline_keyboard).toHaveLength(3);
  });

  it("about a prompt that no hook holds says where to answer", async () => {
    const { take, message } = await chatWorld();
    await take(held("plan_approval", "1. Paint", { waits_until: undefined }));
    const { text, reply_markup } = await message();
    expect(text).toContain("Answer it in the agent's own terminal.");
    expect(reply_markup).toBeUndefined();
  });

  it("is not sent without the bot's token, and the status says which variable is missing", async () => {
    const telegram = await telegramServer();
    const target = { telegram: CHAT, token_env: "BOT_TOKEN", url: telegram.url };
    const { take, notifier, environment } = await monitored({ notify: [target] });
    const file = join(environment.HOME, ".config/tenterhook/monitor.env");
    await take(held("question", [COLOURS]));
    await eventually(() =>
      expect(notifier.channels()).toEqual([
        {
          channel: "telegram",
          problem: `The variable BOT_TOKEN is not set for the monitor's daemon. Write BOT_TOKEN=… into ${file}, then run tenterhook daemon stop and tenterhook daemon start.`,
        },
      ]),
    );
    expect(telegram.calls).toEqual([]);
  });
});
