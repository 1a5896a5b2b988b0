import { describe, expect, it } from "vitest";
import { awayNow } from "../../../src/monitor/report/away.ts";
import { eventually } from "../../support/processes.ts";
import { monitorEvent } from "../support/events.ts";
import { CHAT, COLOURS, chatWorld } from "./support/chat-world.ts";
import { held } from "./support/world.ts";

describe("a person who is asked in Telegram", () => {
  it("is away after a tap, and back after a word", async () => {
    const { take, message, telegram, environment, decision } = await chatWorld();
    const asked = held("permission", "Bash: ls", { hidden: true });
    await take(asked);
    telegram.tap(await message(), "I'm away: wait for me");
    await eventually(() => expect(telegram.alerts).toHaveLength(1));
    expect(awayNow(environment)).toBeDefined();
    expect((await decision(asked.id))?.state).toBe("open");
    telegram.write(CHAT, "/back");
    await eventually(() => expect(awayNow(environment)).toBeUndefined());
  });

  it("is told of a question that the agent takes only at its own terminal, without buttons", async () => {
    const { take, message } = await chatWorld();
    const asked = held("question", [COLOURS], { only_at_terminal: true, waits_until: undefined });
    await take(asked);
    const { text, reply_markup } = await message();
    expect(text).toContain("This agent takes an answer to this only at its own terminal.");
    expect(reply_markup).toBeUndefined();
  });
});

describe("an answer in Telegram", () => {
  it("from another chat does not count, whatever it names", async () => {
    const { take, message, telegram, decision, answerTo } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    telegram.tap(shown, "Blue", { chatId: 666 });
    telegram.write(666, "Blue", { ...shown, chat: { id: 666 } });
    await eventually(() => expect(telegram.unconfirmed()).toBe(0));
    expect((await decision(asked.id))?.state).toBe("open");
    expect(telegram.alerts).toEqual([]);
    expect(telegram.messages().filter(({ chat }) => chat.id === 666)).toHaveLength(1);
    telegram.tap(shown, "Red");
    expect(await answerTo(asked)).toEqual([{ label: "Red" }]);
  });

  it("from a chat that is no longer configured does not count", async () => {
    const { take, message, telegram, decision, configure } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    configure({});
    telegram.tap(shown, "Blue");
    await eventually(() => expect(telegram.alerts).toMatchObject([{ text: "You are not asked any more." }]));
    expect((await decision(asked.id))?.state).toBe("open");
  });

  it("from a chat that was not asked does not count, though it has the same bot", async () => {
    const { take, message, telegram, decision, configure, target } = await chatWorld();
    configure({ notify: [{ ...target, telegram: 7 }] });
    const [first, second] = [held("question", [COLOURS]), held("question", [COLOURS])];
    await take(first);
    const other = await message();
    expect(other.chat.id).toBe(7);
    configure({ notify: [target] });
    await take(second);
    await message(1, 2);
    configure({ notify: [target, { ...target, telegram: 7 }] });
    telegram.push({
      callback_query: { id: "q", from: {}, message: other, data: `${second.id} 0 1` },
    });
    await eventually(() => expect(telegram.unconfirmed()).toBe(0));
    expect((await decision(second.id))?.state).toBe("open");
  });

  it("that comes too late gets a message that says so", async () => {
    const { take, message, telegram, monitor } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = structuredClone(await message());
    await monitor.resolve(asked.id, { choices: ["1"] }, { by: "me", channel: "cli" });
    telegram.tap(shown, "Red");
    await eventually(() =>
      expect(telegram.alerts).toMatchObject([
        { text: "Too late: answered with Blue by me (cli).", show_alert: true },
      ]),
    );
    telegram.write(CHAT, "Red", shown);
    await eventually(() =>
      expect(telegram.messages().at(-1)?.text).toBe("Too late: answered with Blue by me (cli)."),
    );
  });

  it("that nobody needs any more gets a message that says so", async () => {
    const { take, message, telegram } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = structuredClone(await message());
    const { agent_id, session_id, time } = asked;
    await take(monitorEvent("agent:exit", { agent_id, session_id, time, id: "other-1" }));
    telegram.tap(shown, "Red");
    await eventually(() =>
      expect(telegram.alerts).toMatchObject([{ text: "Too late: the agent has ended." }]),
    );
  });

  it("that is tapped twice counts once", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = structuredClone(await message());
    telegram.tap(shown, "Red");
    telegram.tap(shown, "Red");
    telegram.tap(shown, "Blue");
    expect(await answerTo(asked)).toEqual([{ label: "Red" }]);
    await eventually(() =>
      expect(telegram.alerts.map(({ text }) => text)).toEqual([
        expect.stringMatching(/^Answered: Red\. Given to .+ after \d+\.\d s\.$/),
        "Answered: Red.",
        "Too late: answered with Red by @anna (telegram).",
      ]),
    );
  });

  it("resolves the decision it was sent for, and no other", async () => {
    const { take, message, telegram, answerTo, decision } = await chatWorld();
    const [first, second] = [held("question", [COLOURS]), held("question", [COLOURS])];
    await take(first, second);
    await message(1, 2);
    const shown = telegram.messages().find(({ text }) => text.startsWith(second.agent_id));
    if (shown === undefined) throw new Error("There is no message about the second.");
    telegram.tap(shown, "Blue");
    expect(await answerTo(second)).toEqual([{ label: "Blue" }]);
    expect((await decision(first.id))?.state).toBe("open");
  });

  it("that is not a reply gets a message that says how to answer", async () => {
    const { take, message, telegram } = await chatWorld();
    await take(held("question", [COLOURS]));
    await message();
    telegram.write(CHAT, "Blue");
    await eventually(() =>
      expect(telegram.messages().at(-1)?.text).toBe(
        "Reply to a question with text, or tap one of its buttons.",
      ),
    );
  });
});
