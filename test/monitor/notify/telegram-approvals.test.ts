import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { CHAT, chatWorld } from "./support/chat-world.ts";
import { held } from "./support/world.ts";

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
