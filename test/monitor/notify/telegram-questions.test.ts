import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { monitorEvent } from "../support/events.ts";
import { CHAT, COLOURS, chatWorld } from "./support/chat-world.ts";
import { held } from "./support/world.ts";

describe("a question in Telegram", () => {
  it("shows the agent, the question and its options as buttons", async () => {
    const { take, message } = await chatWorld();
    const asked = held("question", [COLOURS], { context: "I looked at the walls.", agent_id: "painter" });
    await take(asked);
    const { chat, text, reply_markup } = await message();
    expect({ chat, text, buttons: reply_markup?.inline_keyboard.flat().map((key) => key.text) }).toEqual({
      chat: { id: CHAT },
      text: `painter asks a question in shop

│ I looked at the walls.

│ Which colour?

1. Blue: Calm.
2. Red

Tap a button, or reply to this message with your answer.`,
      buttons: ["Blue", "Red"],
    });
  });

  it("is answered by a tap, and the message says so", async () => {
    const { take, message, telegram, answerTo, decision } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    telegram.tap(await message(), "Red");
    expect(await answerTo(asked)).toEqual([{ label: "Red" }]);
    expect((await decision(asked.id))?.resolved).toMatchObject({
      by: "@anna",
      channel: "telegram",
      answer: "Red",
    });
    await eventually(() =>
      expect(telegram.alerts).toMatchObject([
        {
          text: expect.stringMatching(/^Answered: Red\. Given to .+ after \d+\.\d s\.$/),
          show_alert: false,
        },
      ]),
    );
    await eventually(() =>
      expect(telegram.messages().at(0)).toMatchObject({
        text: expect.stringContaining("Answered with Red by @anna (telegram), given to the agent after "),
      }),
    );
    expect(telegram.messages().at(0)?.reply_markup).toBeUndefined();
  });

  it("may have an option with the name of a plan's", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = held("question", [
      { question: "Which?", options: [{ label: "Revise" }, { label: "Keep" }] },
    ]);
    await take(asked);
    telegram.tap(await message(), "Revise");
    expect(await answerTo(asked)).toEqual([{ label: "Revise" }]);
  });

  it("loses its buttons when its hook stops waiting, and says later how it ended", async () => {
    const { take, message, telegram, decision } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    const { agent_id, id: prompt } = asked;
    const now = (): string => new Date().toISOString();
    await take(monitorEvent("agent:wait_over", { agent_id, prompt, time: now() }));
    await eventually(() =>
      expect(telegram.messages().at(0)).toMatchObject({
        text: expect.stringMatching(/\n\nAt its terminal: the hook has stopped waiting\. Answer it in/),
      }),
    );
    expect(telegram.messages().at(0)?.reply_markup).toBeUndefined();
    telegram.write(CHAT, "Red", shown);
    await eventually(() =>
      expect(telegram.messages().at(-1)).toMatchObject({
        text: expect.stringMatching(/^Too late: .* Answer it in the agent's own terminal\.$/),
      }),
    );
    expect((await decision(prompt))?.state).toBe("open");
    await take(monitorEvent("agent:went_on", { agent_id, time: now() }));
    await eventually(() =>
      expect(telegram.messages().at(0)).toMatchObject({
        text: expect.stringMatching(/\n\nAnswered in the terminal\.$/),
      }),
    );
  });

  it("says in the end that the agent has taken the answer", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = held("question", [COLOURS], { call_key: "k1" });
    await take(asked);
    telegram.tap(await message(), "Red");
    await answerTo(asked);
    const ends = async (text: string) =>
      eventually(() =>
        expect(telegram.messages().at(0)).toMatchObject({ text: expect.stringMatching(text) }),
      );
    await ends(String.raw`given to the agent after \d+\.\d s\.$`);
    const { agent_id } = asked;
    const time = new Date().toISOString();
    await take(monitorEvent("agent:went_on", { agent_id, time, call_key: "k1", result: "ran" }));
    await ends(String.raw`given to the agent after \d+\.\d s and taken\.$`);
  });

  it("is answered by a reply with any text", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    telegram.write(CHAT, "Green, like the door", await message());
    expect(await answerTo(asked)).toEqual([{ label: "Green, like the door" }]);
    await eventually(() =>
      expect(telegram.messages().at(-1)?.text).toContain("Answered: Green, like the door."),
    );
  });

  it("that is answered with a long text is confirmed, on one line without what could mislead", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = held("question", [COLOURS], { agent_id: "painter\n\u202eTap a button" });
    await take(asked);
    const long = `Green\n${"x".repeat(4000)}`;
    telegram.write(CHAT, long, await message());
    expect(await answerTo(asked)).toEqual([{ label: long }]);
    await eventually(() =>
      expect(telegram.messages().at(-1)?.text).toMatch(
        /^Answered: Green x+…\. Given to .+ after \d+\.\d s\.$/,
      ),
    );
  });

  it("without options is answered by a reply", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = held("question", [{ question: "What is its name?" }]);
    await take(asked);
    const shown = await message();
    expect(shown.reply_markup).toBeUndefined();
    telegram.write(CHAT, "Ada", shown);
    expect(await answerTo(asked)).toEqual([{ label: "Ada" }]);
  });

  it("with several choices collects taps until Send", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = held("question", [
      { question: "Which?", multiSelect: true, options: [{ label: "A" }, { label: "B" }, { label: "C" }] },
    ]);
    await take(asked);
    const shown = await message();
    telegram.tap(shown, "A");
    await eventually(() => expect(shown.reply_markup?.inline_keyboard.flat()[0]?.text).toBe("✓ A"));
    telegram.tap(shown, "C");
    await eventually(() => expect(shown.reply_markup?.inline_keyboard.flat()[2]?.text).toBe("✓ C"));
    telegram.tap(shown, "✓ A");
    await eventually(() => expect(shown.reply_markup?.inline_keyboard.flat()[0]?.text).toBe("A"));
    telegram.tap(shown, "B");
    await eventually(() => expect(shown.reply_markup?.inline_keyboard.flat()[1]?.text).toBe("✓ B"));
    telegram.tap(shown, "Send");
    expect(await answerTo(asked)).toEqual([{ label: "B, C" }]);
  });
});

describe("several questions at once in Telegram", () => {
  const questions = [COLOURS, { question: "Which size?", options: [{ label: "S" }, { label: "L" }] }];

  it("are a message each, and the agent goes on when all are answered", async () => {
    const { take, message, telegram, answerTo, decision } = await chatWorld();
    const asked = held("question", questions);
    await take(asked);
    const second = await message(1, 2);
    expect(second.text).toContain("Question 2 of 2:\n│ Which size?");
    telegram.tap(second, "L");
    await eventually(() =>
      expect(telegram.alerts).toMatchObject([{ text: "Noted: L. One question is left." }]),
    );
    expect(await decision(asked.id)).toMatchObject({ state: "open" });
    telegram.tap(await message(0), "Blue");
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }, { label: "L" }]);
  });

  it("can be answered again until all are", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = held("question", questions);
    await take(asked);
    telegram.tap(await message(0, 2), "Blue");
    telegram.tap(await message(0, 2), "Red");
    telegram.write(CHAT, "XXL", await message(1, 2));
    expect(await answerTo(asked)).toEqual([{ label: "Red" }, { label: "XXL" }]);
  });

  it("remember the answers of the first when the daemon starts again", async () => {
    const { take, message, telegram, answerTo, close, start } = await chatWorld();
    const asked = held("question", questions);
    await take(asked);
    telegram.tap(await message(0, 2), "Blue");
    await eventually(() => expect(telegram.alerts).toHaveLength(1));
    await close();
    start();
    telegram.tap(await message(1, 2), "S");
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }, { label: "S" }]);
    expect(telegram.messages()).toHaveLength(2);
  });
});
