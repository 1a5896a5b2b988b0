import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { COLOURS } from "./support/chat-world.ts";
import { ntfyServer } from "./support/ntfy-server.ts";
import { codeIn, ntfyWorld } from "./support/ntfy-world.ts";
import { held } from "./support/world.ts";

describe("an answer on ntfy", () => {
  it.each([
    ["no code", "Red"],
    ["a wrong code", "abcdefgh Red"],
    ["something else", '{"decision":"all"}'],
  ])("with %s does not count and is not answered", async (_, text) => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    await eventually(() => expect(ntfy.streams()).toBe(1));
    ntfy.publish("says", { message: text });
    await ntfy.tap(shown, "Blue");
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }]);
    await message(2);
    expect(ntfy.messages("asks")).toHaveLength(2);
  });

  it("that comes too late or twice gets a message that says so", async () => {
    const { take, message, ntfy, monitor } = await ntfyWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    await monitor.resolve(asked.id, { choices: ["1"] }, { by: "me", channel: "cli" });
    await ntfy.tap(shown, "Red");
    expect((await message(2)).message).toBe("Too late: answered with Blue by me (cli).");
  });
});

describe("the reader of ntfy", () => {
  it("goes on after a cut stream and takes what came meanwhile, once", async () => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const [first, second] = [held("question", [COLOURS]), held("question", [COLOURS])];
    await take(first);
    await ntfy.tap(await message(), "Red");
    expect(await answerTo(first)).toEqual([{ label: "Red" }]);
    await message(2);
    await take(second);
    const shown = await message(3);
    ntfy.fail("drop", 429);
    ntfy.cut();
    await eventually(() => expect(ntfy.streams()).toBe(0));
    ntfy.publish("says", { message: `${codeIn(shown)} Blue` });
    expect(await answerTo(second)).toEqual([{ label: "Blue" }]);
    await message(4);
    expect(ntfy.messages("asks").map(({ message }) => message.split(".")[0])).toEqual([
      "│ Which colour?\n\n1",
      "Answered: Red",
      "│ Which colour?\n\n1",
      "Answered: Blue",
    ]);
  });

  it("takes no old answer again when the server has forgotten the last one", async () => {
    const { take, message, ntfy, answerTo, close, start, store } = await ntfyWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    await ntfy.tap(await message(), "Red");
    expect(await answerTo(asked)).toEqual([{ label: "Red" }]);
    await message(2);
    await close();
    const name = `ntfy ${ntfy.url} says`;
    const last = JSON.parse((await store.update((tables) => tables.mark(name))) ?? "");
    await store.update((tables) =>
      tables.putMark(name, JSON.stringify({ ...last, id: "gone", time: last.time + 1 })),
    );
    start();
    const next = held("question", [COLOURS]);
    await take(next);
    await message(3);
    await eventually(() => expect(ntfy.streams()).toBe(1));
    expect(ntfy.messages("asks")).toHaveLength(3);
  });

  it.each([
    ["behind", -3600],
    ["ahead of", 3600],
  ])("takes the first answer when the server's clock is %s ours", async (_, seconds) => {
    const { take, message, ntfy, answerTo } = await ntfyWorld({}, {}, {}, ntfyServer({}, seconds));
    const asked = held("question", [COLOURS]);
    await take(asked);
    await ntfy.tap(await message(), "Blue");
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }]);
  });

  it("takes an answer that came before it could open the topic for the first time", async () => {
    const server = await ntfyServer({}, -3600);
    server.shut(true);
    const { take, message, ntfy, answerTo } = await ntfyWorld({}, {}, {}, Promise.resolve(server));
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    expect(ntfy.streams()).toBe(0);
    await ntfy.tap(shown, "Blue");
    ntfy.shut(false);
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }]);
  });

  it("goes on after lines that are no messages", async () => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    await eventually(() => expect(ntfy.streams()).toBe(1));
    ntfy.raw('not json\n\n[]\n{"event":"message","message":7}\n');
    ntfy.raw(`${"x".repeat(300_000)}\n`);
    await ntfy.tap(shown, "Blue");
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }]);
  });
});
