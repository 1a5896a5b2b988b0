import { createHooks, hookInput } from "tenterhook";
import type { AgentItem } from "tenterhook/agent";
import { expect, it } from "vitest";
import { agentOf } from "./support/agents.ts";

it("a turn that a hook started is announced with its name before anything of it, and the result counts it", async () => {
  const hooks = createHooks();
  let more = 2;
  hooks.on("TurnEnd", { name: "tests-pass" }, () => {
    more -= 1;
    return more < 0 ? undefined : hookInput("2 tests failed.");
  });
  hooks.on("TurnStart", { name: "watcher" }, () => undefined);
  const { agent } = agentOf([{ text: "One." }, { text: "Two." }, { text: "Three." }], { hooks });
  const items: AgentItem[] = [];
  const result = await agent.run("go", { onItem: (item) => void items.push(item) });
  const told = items.flatMap((item) => {
    if (item.type === "turn_start") return [`turn ${item.hook ?? "of the user"}`];
    if (item.type === "hook_end") return [`${item.hook_event_name} ${item.hook}`];
    if (item.type === "hook_input") return [`HookInput: ${item.text}`];
    return item.type === "text_delta" ? [item.text] : [];
  });
  const ofHook = ["turn tests-pass", "TurnStart watcher", "HookInput: 2 tests failed."];
  expect(told).toEqual([
    "turn of the user",
    "TurnStart watcher",
    "One.",
    "TurnEnd tests-pass",
    ...ofHook,
    "Two.",
    "TurnEnd tests-pass",
    ...ofHook,
    "Three.",
    "TurnEnd tests-pass",
  ]);
  expect(result).toMatchObject({ turns: 3, iterations: 3, stop_reason: "complete" });
});
