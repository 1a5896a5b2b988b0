import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { CHAT, chatWorld } from "./support/chat-world.ts";
import { escalation } from "./support/world.ts";

describe("an agent with an error in Telegram", () => {
  const failed = () => escalation("on_error");

  it("tries again after a tap, which the monitor carries out", async () => {
    const { take, message, telegram, decision, store } = await chatWorld();
    const asked = failed();
    await take(asked);
    telegram.tap(await message(), "retry");
    await eventually(() =>
      expect(telegram.alerts).toMatchObject([{ text: "Answered: retry. The monitor will do it." }]),
    );
    expect(await decision(asked.id)).toMatchObject({
      source: "error",
      resolved: { channel: "telegram", answer: { choice: "retry" } },
    });
    const [agent] = await store.agents();
    expect(agent?.pending).toMatchObject({ action: "nudge", asked: true });
  });

  it("gets another message by a reply that begins with the option", async () => {
    const { take, message, telegram, decision } = await chatWorld();
    const asked = failed();
    await take(asked);
    telegram.write(CHAT, "Retry: with the other key", await message());
    await eventually(async () =>
      expect((await decision(asked.id))?.resolved?.answer).toEqual({
        choice: "retry",
        message: "with the other key",
      }),
    );
  });

  it("that is idle does what a reply says", async () => {
    const { take, message, telegram, decision } = await chatWorld();
    const asked = escalation("on_idle");
    await take(asked);
    telegram.write(CHAT, "Paint the door, too", await message());
    await eventually(async () =>
      expect((await decision(asked.id))?.resolved?.answer).toEqual({
        choice: "continue",
        message: "Paint the door, too",
      }),
    );
  });
});
