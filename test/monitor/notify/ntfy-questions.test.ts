import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { COLOURS } from "./support/chat-world.ts";
import { codeIn, ntfyWorld } from "./support/ntfy-world.ts";
import { held } from "./support/world.ts";

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

  it("has no buttons when the agent takes an answer only at its own terminal", async () => {
    const { take, message } = await ntfyWorld();
    const asked = held("question", [COLOURS], { only_at_terminal: true, waits_until: undefined });
    await take(asked);
    const shown = await message();
    expect(shown.message).toContain("This agent takes an answer to this only at its own terminal.");
    expect(shown.actions ?? []).toEqual([]);
  });

  it("is answered by a tap, and the person gets a confirmation", async () => {
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
      message: expect.stringMatching(/^Answered: Red\. Given to .+ after \d+\.\d s\.$/),
      priority: 2,
    });
  });

  it("changes on the phone when it is answered at the desk, and has no buttons any more", async () => {
    const { take, message, ntfy, monitor, answerTo } = await ntfyWorld();
    const asked = held("question", [COLOURS]);
    await take(asked);
    expect((await message()).actions).toHaveLength(2);
    void answerTo(asked);
    await monitor.resolve(asked.id, { choices: ["2"] }, { by: "anna", channel: "cli" });
    await eventually(async () =>
      expect((await message()).message).toMatch(
        /\n\nAnswered with Red by anna \(cli\), given to the agent after \d+\.\d s\.$/,
      ),
    );
    expect([ntfy.messages("asks").length, (await message()).actions ?? []]).toEqual([1, []]);
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
