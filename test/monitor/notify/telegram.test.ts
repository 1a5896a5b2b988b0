import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { CHAT, COLOURS, chatWorld } from "./support/chat-world.ts";
import { escalation, held } from "./support/world.ts";

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
        { text: `Answered: Red. ${asked.agent_id} goes on.`, show_alert: false },
      ]),
    );
    await eventually(() =>
      expect(telegram.messages().at(0)).toMatchObject({
        text: expect.stringContaining("Answered with Red by @anna (telegram)."),
      }),
    );
    expect(telegram.messages().at(0)?.reply_markup).toBeUndefined();
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
        /^Answered: Green x+…\. painter �Tap a button goes on\.$/,
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

describe("a plan in Telegram", () => {
  const plan = () => held("plan_approval", "1. Delete it all");

  it.each([
    ["accept", { allow: true }],
    ["cancel", { allow: false }],
  ])("is answered by the button %s", async (label, answer) => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = plan();
    await take(asked);
    telegram.tap(await message(), label);
    expect(await answerTo(asked)).toEqual(answer);
  });

  it("is revised by a reply, which the button revise asks for", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = plan();
    await take(asked);
    const shown = await message();
    telegram.tap(shown, "revise");
    await eventually(() =>
      expect(telegram.alerts).toMatchObject([
        { text: "Reply to the plan with what is to be changed.", show_alert: true },
      ]),
    );
    telegram.write(CHAT, "Keep the cellar", shown);
    expect(await answerTo(asked)).toEqual({ allow: false, feedback: "Keep the cellar" });
  });

  it("is accepted by a reply that says yes", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = plan();
    await take(asked);
    telegram.write(CHAT, "ok", await message());
    expect(await answerTo(asked)).toEqual({ allow: true });
  });
});

describe("a permission in Telegram", () => {
  const permission = () => held("permission", { tool_name: "Bash", tool_input: { command: "rm -r build" } });

  it("shows the call and is given by a tap", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = permission();
    await take(asked);
    expect((await message()).text).toContain("Bash: rm -r build");
    telegram.tap(await message(), "allow");
    expect(await answerTo(asked)).toEqual({ allow: true });
  });

  it("is refused by any text that is no yes", async () => {
    const { take, message, telegram, answerTo } = await chatWorld();
    const asked = permission();
    await take(asked);
    telegram.write(CHAT, "use trash instead", await message());
    expect(await answerTo(asked)).toEqual({ allow: false, feedback: "use trash instead" });
  });
});

describe("an agent with an error in Telegram", () => {
  const failed = () => escalation("on_error");

  it("is told to try again by a tap, which the monitor carries out", async () => {
    const { take, message, telegram, decision, store } = await chatWorld();
    const asked = failed();
    await take(asked);
    telegram.tap(await message(), "retry");
    await eventually(() =>
      expect(telegram.alerts).toMatchObject([{ text: "Answered: retry. The monitor does it." }]),
    );
    expect(await decision(asked.id)).toMatchObject({
      source: "error",
      resolved: { channel: "telegram", answer: { choice: "retry" } },
    });
    const [agent] = await store.agents();
    expect(agent?.pending).toMatchObject({ action: "nudge", asked: true });
  });

  it("is told something else by a reply that begins with the option", async () => {
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

  it("that comes too late is told so", async () => {
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

  it("that nobody needs any more is told so", async () => {
    const { take, message, telegram } = await chatWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = structuredClone(await message());
    await take({ ...asked, id: "other-1", type: "agent:exit", waits_until: undefined });
    telegram.tap(shown, "Red");
    await eventually(() =>
      expect(telegram.alerts).toMatchObject([{ text: "No answer is needed any more. The agent has ended." }]),
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
        `Answered: Red. ${asked.agent_id} goes on.`,
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

  it("that is no reply is told how to answer", async () => {
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
