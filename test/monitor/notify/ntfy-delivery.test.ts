import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { COLOURS } from "./support/chat-world.ts";
import { codeIn, ntfyWorld } from "./support/ntfy-world.ts";
import { held } from "./support/world.ts";

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
    await eventually(async () => expect(await store.pendingDeliveries()).toMatchObject([{ state: "sent" }]));
    expect(ntfy.published("asks")).toHaveLength(1);
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
