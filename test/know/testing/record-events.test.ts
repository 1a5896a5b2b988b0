import { createHooks, deny } from "tenterhook";
import { Agent } from "tenterhook/agent";
import { hookMatchers, recordEvents, scriptedModel } from "tenterhook/testing";
import { expect, it } from "vitest";
import "./matcher-types.ts";

expect.extend(hookMatchers);

it("the events of an agent are recorded with what its hooks decided, until that is stopped", async () => {
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "guard", tools: ["Bash"] }, () => deny("Not here."));
  const step = { tool_calls: [{ name: "Bash", input: { command: "ls" } }] };
  const model = scriptedModel([step, { text: "I can't." }, { text: "Still not." }]);
  const agent = new Agent({ model, hooks, mode: "bypass" });
  const recorded = recordEvents(agent);
  await agent.run("List the files.");
  expect(recorded.of("PreToolUse")[0]).toDeny("Not here.");
  expect(recorded.of("PreToolUse")).toMatchObject([
    { hook: "guard", event: { tool_input: { command: "ls" } } },
  ]);
  const names = recorded.decisions.map(({ event }) => event.hook_event_name);
  expect(names.filter((name) => /Prompt|PreTool|^Stop/.test(name))).toEqual([
    "UserPromptSubmit",
    "PreToolUse",
    "Stop",
  ]);
  recorded.stop();
  await agent.run("Try again.");
  await agent.close();
  expect(recorded.decisions).toHaveLength(names.length);
});

it("the events of a hook set are recorded, too", async () => {
  const hooks = createHooks();
  const recorded = recordEvents(hooks);
  await hooks.checkpoint({
    session_id: "s",
    cwd: "/",
    checkpoint_id: "c",
    checkpoint_type: "manual",
    message_count: 1,
  });
  expect(recorded.of("Checkpoint")).toMatchObject([{ action: "continue", not_evaluated: [] }]);
});
