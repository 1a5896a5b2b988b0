import { createHooks } from "tenterhook";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, says } from "./support/agents.ts";

it("checkpoints fire each turn, within long turns and when asked for, with what was kept since the last", async () => {
  const hooks = createHooks();
  const fired: unknown[] = [];
  hooks.on("Checkpoint", ({ checkpoint_type, message_count, checkpoint_id }) => {
    fired.push([checkpoint_type, message_count, checkpoint_id]);
  });
  const call = { tool_calls: [says("a")] };
  const { agent } = agentOf([call, call, { text: "ok" }], {
    hooks,
    store: memoryStore(),
    session: { checkpoint_messages: 3 },
  });
  await agent.run("Go.");
  const ids = agent.transcript().map(({ id }) => id);
  expect(await agent.checkpoint()).toBe(ids[5]);
  expect(fired).toEqual([
    ["periodic", 3, ids[2]],
    ["auto", 3, ids[5]],
    ["manual", 0, ids[5]],
  ]);
});

it("there are no checkpoints where nothing is kept", async () => {
  const hooks = createHooks();
  const fired: unknown[] = [];
  hooks.on("Checkpoint", () => {
    fired.push("Checkpoint");
  });
  const { agent } = agentOf([{ text: "ok" }], { hooks });
  await agent.run("Go.");
  expect([await agent.checkpoint(), fired]).toEqual([undefined, []]);
});
