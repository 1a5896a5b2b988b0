import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { type NtfyMessage, ntfyServer } from "./support/ntfy-server.ts";
import { held, monitored } from "./support/world.ts";

const COLOURS = {
  question: "Which colour?",
  options: [{ label: "Blue", description: "Calm." }, { label: "Red" }],
};

async function ntfyWorld(
  access: Parameters<typeof ntfyServer>[0] = {},
  keys: object = {},
  variables: NodeJS.ProcessEnv = {},
  prepared = ntfyServer(access),
) {
  const ntfy = await prepared;
  const target = { ntfy: "asks", replies: "says", url: ntfy.url, ...keys };
  const world = await monitored({ notify: [target] }, variables);
  const message = async (count = 1): Promise<NtfyMessage> => {
    await eventually(() => expect(ntfy.messages("asks").length).toBeGreaterThanOrEqual(count));
    const found = ntfy.messages("asks")[count - 1];
    if (found === undefined) throw new Error("There is no such message.");
    return found;
  };
  return { ...world, ntfy, message };
}

/** The code that a message asks for. */
function codeIn({ message }: NtfyMessage): string {
  return /reply topic: ([a-z2-9]{8}) /.exec(message)?.[1] ?? "no code";
}

describe("a question on ntfy", () => {
  it("shows the agent, the question and its options as buttons", async () => {
    const { take, message, ntfy } = await ntfyWorld();
    await take(held("question", [COLOURS], { context: "I looked at the walls.", agent_id: "painter" }));
    const shown = await message();
    const code = codeIn(shown);
    expect(shown).toMatchObject({
      title: "painter asks a question in shop",
      message: `│ I looked at the walls.

│ Which colour?

1. Blue: Calm.
2. Red

Tap a button, or send to the reply topic: ${code} your answer`,
      actions: [
        {
          action: "http",
          label: "Blue",
          url: `${ntfy.url}/says`,
          method: "POST",
          body: `${code} 1`,
          clear: true,
        },
        {
          action: "http",
          label: "Red",
          url: `${ntfy.url}/says`,
          method: "POST",
          body: `${code} 2`,
          clear: true,
        },
      ],
    });
  });

  it("is answered by a tap, and the person is told", async () => {
    const { take, message, ntfy, answerTo, decision } = await ntfyWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    expect(await ntfy.tap(await message(), "Red")).toBe(200);
    expect(await answerTo(asked)).toEqual([{ label: "Red" }]);
    expect((await decision(asked.id))?.resolved).toMatchObject({
      by: "ntfy",
      channel: "ntfy",
      answer: "Red",
    });
    expect(await message(2)).toMatchObject({
      message: `Answered: Red. ${asked.agent_id} goes on.`,
      priority: 2,
    });
  });

  it("is answered by a tap on an option whose number is the label of another", async () => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const options = ["3", "2", "1"].map((label) => ({ label }));
    const asked = held("question", [{ question: "How many?", options }]);
    await take(asked);
    await ntfy.tap(await message(), "3");
    expect(await answerTo(asked)).toEqual([{ label: "3" }]);
    expect((await message(2)).message).toContain("Answered: 3.");
    const several = held("question", [
      { question: "Which?", options, multiSelect: true },
      { question: "How many?", options },
    ]);
    await take(several);
    await eventually(() => expect(ntfy.messages("asks")).toHaveLength(4));
    const [which, many] = [await message(3), await message(4)];
    await ntfy.tap(many, "1");
    ntfy.publish("says", { message: `${codeIn(which)} 1, 2` });
    expect(await answerTo(several)).toEqual([{ label: "3, 2" }, { label: "1" }]);
  });

  it("is answered by any text after its code", async () => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    ntfy.publish("says", { message: `${codeIn(await message()).toUpperCase()}: Green, like the door` });
    expect(await answerTo(asked)).toEqual([{ label: "Green, like the door" }]);
  });

  it("has further messages for options that do not fit into three buttons", async () => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const options = ["A", "B", "C", "D", "E"].map((label) => ({ label }));
    const asked = held("question", [{ question: "Which?", options }]);
    await take(asked);
    const second = await message(2);
    expect(second.message).toContain("More options:\n4. D\n5. E");
    expect(second.actions?.map(({ label }) => label)).toEqual(["D", "E"]);
    await ntfy.tap(second, "E");
    expect(await answerTo(asked)).toEqual([{ label: "E" }]);
  });

  it("with several choices is answered by their numbers", async () => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const asked = held("question", [{ ...COLOURS, multiSelect: true }]);
    await take(asked);
    ntfy.publish("says", { message: `${codeIn(await message())} 1, 2` });
    expect(await answerTo(asked)).toEqual([{ label: "Blue, Red" }]);
  });

  it("that is one of several has a code of its own", async () => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const asked = held("question", [COLOURS, { question: "Which size?", options: [{ label: "S" }] }]);
    await take(asked);
    await ntfy.tap(await message(2), "S");
    expect(await message(3)).toMatchObject({ message: "Noted: S. One question is left." });
    ntfy.publish("says", { message: `${codeIn(await message(1))} Blue` });
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }, { label: "S" }]);
  });
});

describe("a plan and a permission on ntfy", () => {
  it.each<[string, unknown]>([
    ["accept", { allow: true }],
    ["cancel", { allow: false }],
  ])("a plan is answered by the button %s", async (label, answer) => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const asked = held("plan_approval", "1. Paint");
    await take(asked);
    await ntfy.tap(await message(), label);
    expect(await answerTo(asked)).toEqual(answer);
  });

  it("a plan is revised by a text", async () => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const asked = held("plan_approval", "1. Paint");
    await take(asked);
    const shown = await message();
    await ntfy.tap(shown, "revise");
    expect((await message(2)).message).toBe("Reply to the plan with what is to be changed.");
    ntfy.publish("says", { message: `${codeIn(shown)} Wash it first` });
    expect(await answerTo(asked)).toEqual({ allow: false, feedback: "Wash it first" });
  });

  it("a permission is given by a tap", async () => {
    const { take, message, ntfy, answerTo } = await ntfyWorld();
    const asked = held("permission", { tool_name: "Bash", tool_input: { command: "ls" } });
    await take(asked);
    await ntfy.tap(await message(), "allow");
    expect(await answerTo(asked)).toEqual({ allow: true });
  });
});

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

  it("that comes too late or twice is told so", async () => {
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
    server.fail("drop");
    const { take, message, ntfy, answerTo } = await ntfyWorld({}, {}, {}, Promise.resolve(server));
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    expect(ntfy.streams()).toBe(0);
    await ntfy.tap(shown, "Blue");
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

describe("access to ntfy", () => {
  const ACCESS = {
    asks: { read: ["phone", "daemon"], write: ["daemon"] },
    says: { read: ["daemon"], write: ["buttons"] },
  };
  const KEYS = { token_env: "NTFY_TOKEN", reply_token_env: "NTFY_REPLY_TOKEN" };

  it("goes by tokens: ours for the topics, and one in the buttons that can only reply", async () => {
    const variables = { NTFY_TOKEN: "daemon", NTFY_REPLY_TOKEN: "buttons" };
    const { take, message, ntfy, answerTo } = await ntfyWorld(ACCESS, KEYS, variables);
    const asked = held("question", [COLOURS]);
    await take(asked);
    const shown = await message();
    expect(JSON.stringify(shown)).not.toContain("daemon");
    expect(await ntfy.tap(shown, "Blue")).toBe(200);
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }]);
  });

  it("that is refused is shown in the status", async () => {
    const variables = { NTFY_TOKEN: "stranger", NTFY_REPLY_TOKEN: "buttons" };
    const { take, notifier, ntfy } = await ntfyWorld(ACCESS, KEYS, variables);
    await take(held("question", [COLOURS]));
    await eventually(() =>
      expect(notifier.channels()).toEqual([{ channel: "ntfy", problem: expect.stringContaining("403") }]),
    );
    expect(ntfy.messages("asks")).toEqual([]);
  });
});

describe("a message to ntfy", () => {
  it("is sent again when the connection is lost", async () => {
    const { take, message, ntfy } = await ntfyWorld();
    await take(held("question", [COLOURS]));
    await message();
    ntfy.fail("drop", "drop");
    await take(held("question", [COLOURS]));
    await message(2);
  });

  it("that was sent before the daemon was killed is not sent again", async () => {
    const { take, message, ntfy, store, close, start, answerTo } = await ntfyWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    await message();
    await close();
    // What the store knows when the daemon is killed between sending and remembering it.
    await store.update((tables) => {
      for (const { ref: _, ...row } of tables.deliveries(asked.id))
        tables.putDelivery({ ...row, state: "sending", attempts: 1 });
    });
    start();
    await eventually(async () => expect(await store.pendingDeliveries()).toEqual([]));
    expect(ntfy.messages("asks")).toHaveLength(1);
    await ntfy.tap(await message(), "Blue");
    expect(await answerTo(asked)).toEqual([{ label: "Blue" }]);
  });

  it("about a long plan is cut to what ntfy takes", async () => {
    const { take, message } = await ntfyWorld();
    await take(held("plan_approval", "🏗".repeat(10_000)));
    const shown = await message();
    expect(shown.message).toContain("1. accept");
    expect(codeIn(shown)).not.toBe("no code");
  });

  it("has no secrets in it", async () => {
    const { take, message } = await ntfyWorld({}, {}, { API_KEY: "correct horse battery" });
    await take(held("plan_approval", "Use correct horse battery"));
    expect(JSON.stringify(await message())).not.toContain("correct horse battery");
  });
});
