import { createHooks, userMessage } from "tenterhook";
import type { AgentItem } from "tenterhook/agent";
import { internals } from "tenterhook/core";
import { expect, it } from "vitest";
import { agentOf, says } from "./support/agents.ts";

it("a broken file is announced once in a session, and again when something else is wrong with it", async () => {
  const hooks = createHooks();
  let text = "hooks.yaml:3 can't be read.";
  const set = internals(hooks);
  const events = ["PreToolUse", "PostToolUse", "Stop"];
  const run = () => userMessage(text, "warning");
  set.replace([], [set.prepare(events, { name: "tenterhook:configuration" }, { type: "function", run })]);
  const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "ok" }, { text: "ok" }], { hooks });
  const told: string[] = [];
  const onItem = (item: AgentItem): void => {
    if (item.type === "notice") told.push(item.text);
  };
  await agent.run("Go.", { onItem });
  text = "hooks.yaml:4 can't be read.";
  await agent.run("Go on.", { onItem });
  expect(told).toEqual(["hooks.yaml:3 can't be read.", "hooks.yaml:4 can't be read."]);
  await agent.close();
});
