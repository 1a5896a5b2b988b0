import { createHooks } from "tenterhook";
import { expect, it } from "vitest";
import { agentOf } from "./support/agents.ts";

it("an agent ends its session where its block ends", async () => {
  const hooks = createHooks();
  const reasons: unknown[] = [];
  hooks.on("SessionEnd", ({ reason }) => void reasons.push(reason));
  {
    await using agent = agentOf([{ text: "ok" }], { hooks }).agent;
    await agent.run("Go.");
    expect(reasons).toEqual([]);
  }
  expect(reasons).toEqual(["exit"]);
});
